/**
 * Answers about a load in the form of the core's, with figures that go together: the more requests a
 * second, the longer they wait.
 */

const POINTS = 120;
const CARRIES = 6.4;

const times = (mean, tail) => ({
  mean,
  p50: mean * 0.88,
  p90: mean * (1 + tail * 0.5),
  p95: mean * (1 + tail * 0.8),
  p99: mean * (1 + tail * 1.6),
  max: mean * (1 + tail * 2.4),
  count: 1000,
});

/** Requests a second that the load asks for, or brings about. */
function rateOf({ arrivals }) {
  if (arrivals.kind === 'closed') return Math.min(CARRIES, arrivals.concurrency / 6);
  return arrivals.rate ?? CARRIES;
}

function series(duration, busy) {
  const at = Array.from({ length: POINTS }, (_, index) => index / (POINTS - 1));
  const wave = at.map(
    (x) => Math.min(1, x * 12) * (0.8 + 0.2 * Math.sin(x * 19)) * (x > 0.97 ? 0.4 : 1),
  );
  return {
    t_s: at.map((x) => x * duration),
    kv_share: wave.map((y) => Math.min(1, y * busy)),
    running: wave.map((y) => Math.round(y * 48 * busy)),
    waiting: wave.map((y, index) => (busy > 0.8 ? Math.round(y * (index % 9)) : 0)),
    output_tokens_per_s: wave.map((y) => y * 1100 * busy),
    preemptions: wave.map((_, index) => (busy > 0.9 && index % 40 === 20 ? 1 : 0)),
  };
}

export function simulation({ id, request = {}, load, slo }) {
  const rate = rateOf(load);
  const busy = Math.min(1, rate / CARRIES);
  const asked = load.requests ?? 1000;
  const duration = asked / Math.min(rate, CARRIES);
  const ttft = times(0.12 + 0.5 * busy ** 6, 1 + busy);
  const tpot = times(0.012 + 0.02 * busy ** 2, 0.4);
  const meets = !slo || (ttft.p99 <= (slo.ttft_s ?? 9e9) && tpot.p99 <= (slo.tpot_s ?? 9e9));
  const share = meets ? 0.998 : 0.83;
  return {
    ...(id && { id }),
    kind: 'simulation',
    engine: { name: request.engine?.name ?? 'vllm', version: '0.29.0' },
    scheduler: 'vllm_v1',
    gpu: { id: request.gpu?.id ?? 'a100-sxm-80gb', count: request.gpu?.count ?? 1 },
    requests: { asked, finished: asked, refused: 0, refused_why: '', longest: 1280 },
    stopped: false,
    duration_s: duration,
    latency: {
      ttft_s: ttft,
      tpot_s: tpot,
      itl_s: { ...times(0.012 + 0.02 * busy ** 2, 1.4), count: asked * 255 },
      e2e_s: times(3.4 + 6 * busy ** 2, 0.7),
      queue_s: times(0.02 + 0.4 * busy ** 6, 1.5),
    },
    bands: { ttft: [0.8, 1.35], tpot: [0.9, 1.12], basis: 'measured' },
    throughput: {
      requests_per_s: asked / duration,
      output_tokens_per_s: (asked * 256) / duration,
      total_tokens_per_s: (asked * 1280) / duration,
    },
    goodput: slo ? { requests_per_s: (share * asked) / duration, share, meets } : null,
    kv: { tokens: 446464, mean_share: 0.6 * busy, peak_share: 0.97 * busy },
    running: { mean: 30 * busy, peak: 48 },
    waiting: { mean: busy > 0.8 ? 3.2 : 0, peak: busy > 0.8 ? 8 : 0 },
    preemptions: busy > 0.9 ? 3 : 0,
    recomputed_tokens: busy > 0.9 ? 3120 : 0,
    prefix_hit_tokens: load.prefix?.shared_tokens ? asked * load.prefix.shared_tokens : 0,
    steps: 21400,
    step_time: {
      total_s: duration,
      host_s: duration * 0.06,
      linear_s: duration * 0.42,
      attention_s: duration * 0.13,
      experts_s: 0,
      communication_s: 0,
      head_s: duration * 0.03,
      elementwise_s: duration * 0.05,
      idle_s: duration * 0.31,
    },
    mfu: 0.21,
    mbu: 0.58,
    series: series(duration, busy),
    limit: meets
      ? { what: 'load', text: 'Nothing limits it: the cards are idle 31 % of the time.' }
      : {
          what: 'kv_pool',
          text: 'The KV cache is full: it is in use to 97 % on average, 3.2 requests wait for room, and 3 were put back.',
        },
    cost_per_million_output_tokens: (1.79 / 3600 / ((asked * 256) / duration)) * 1e6,
    price_per_hour: 1.79,
    assumptions: ['Each request writes as many tokens as its answer is long.'],
  };
}

export function capacity({ id, request = {}, over }) {
  const scale = over === 'rate' ? 1 : 10;
  const best = 5.2 * scale;
  const curve = [0.5, 1, 2, 3, 4, 4.6, 5, 5.2, 5.4, 5.8, 6.4].map((rate) => {
    const busy = rate / CARRIES;
    return {
      value: rate * scale,
      ttft_s: times(0.12 + 0.9 * busy ** 7, 1 + busy),
      tpot_s: times(0.012 + 0.02 * busy ** 2, 0.4),
      e2e_s: times(3.4 + 6 * busy ** 2, 0.7),
      output_tokens_per_s: Math.min(rate, 5.5) * 256,
      share_meeting: rate <= 5.2 ? 0.995 : 0.9 - (rate - 5.2) * 0.4,
      kv_peak_share: Math.min(1, busy * 1.05),
      meets: rate <= 5.2,
      piles_up: rate > 5.8,
    };
  });
  return {
    ...(id && { id }),
    kind: 'capacity',
    engine: { name: request.engine?.name ?? 'vllm', version: '0.29.0' },
    over,
    best: {
      value: best,
      low: best * 0.96,
      high: best * 1.03,
      seeds: [best * 0.96, best, best * 1.01, best * 1.03, best],
    },
    at_best: {
      ttft_p50: 0.21,
      ttft_p99: 0.48,
      tpot_p50: 0.024,
      tpot_p99: 0.041,
      goodput: 5.17 * scale,
      kv_peak_share: 0.86,
      output_tokens_per_s: 1331,
    },
    curve,
    knee: 4.6 * scale,
    limit: {
      what: 'compute',
      text: 'The steps themselves, one after the other: they read at 58 % of the memory bandwidth and compute at 71 % of the peak.',
    },
    changes: [
      {
        change: '--kv-cache-dtype fp8',
        how: 'The cache takes half the memory, and holds twice the requests.',
        cards: request.gpu?.count ?? 1,
        edit: { set: { 'kv-cache-dtype': 'fp8' } },
        request: {
          ...request,
          engine: {
            ...request.engine,
            args: { ...request.engine?.args, 'kv-cache-dtype': 'fp8' },
          },
        },
        best: best * 1.18,
      },
    ],
    cost_per_million_output_tokens: 0.37,
    price_per_hour: 1.79,
    bands: { ttft: [0.8, 1.35], tpot: [0.9, 1.12], basis: 'measured' },
    runs: 61,
    assumptions: ['Each request writes as many tokens as its answer is long.'],
  };
}

/**
 * The class `Run` of a module, for long questions.
 *
 * @param {Record<string, (query: any) => any>} [answers] by the kind of the question
 * @param {{ steps?: number, wait?: () => void }} [pace] how many steps a question takes, and what a
 *   slice costs
 */
export function cannedRun(answers = {}, { steps = 1, wait = () => {} } = {}) {
  const answerOf = {
    simulate: simulation,
    capacity,
    recommend: () => ({ kind: 'recommend', answers: [{}] }),
    ...answers,
  };
  const runs = [];
  class Run {
    static create(kind, text) {
      const run = new Run();
      Object.assign(run, { kind, query: JSON.parse(text), did: 0, slices: [], deleted: false });
      runs.push(run);
      return run;
    }
    advance(count) {
      wait();
      this.slices.push(count);
      this.did = Math.min(steps, this.did + count);
      const share = this.did / steps;
      const asked = this.query.load?.requests ?? 1000;
      return JSON.stringify({
        done: share === 1,
        share,
        finished: Math.floor(share * asked),
        asked,
        time_s: share * 200,
        steps: this.did,
        running: 12,
        waiting: 0,
        kv_share: 0.4,
        note: '',
      });
    }
    result() {
      return JSON.stringify(answerOf[this.kind](this.query));
    }
    delete() {
      this.deleted = true;
    }
  }
  return { Run, runs };
}
