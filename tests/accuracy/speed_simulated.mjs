// `node tests/accuracy/speed_simulated.mjs [--rows] [--write <file>]`: every measured speed of the corpus
// against the simulator as people use it: the row's setup and load as one question each, beside the
// plain roofline and the usual two formulas. Rows of one configuration (engine, version, model, card,
// format, ranks) go together into one of two halves: constants were fitted on the first, and the second
// checks them.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { load } from '../../wasm/node.mjs';
import { baselines } from './speed_baselines.mjs';
import { FIGURES, groupOf, halfOf } from './speed_groups.mjs';
import { speedRequest, speedRows } from './speed_rows.mjs';
import { factsOfSpeed, printSpeed } from './speed_table.mjs';
import { sharedOf } from './truth.mjs';

const { values } = parseArgs({
  options: { rows: { type: 'boolean', default: false }, write: { type: 'string' } },
});

/** Flags by which an engine deals experts out, and makes groups of its ranks. */
const EXPERTS = {
  vllm: () => ({ 'enable-expert-parallel': true }),
  sglang: (ranks) => ({ 'expert-parallel-size': ranks }),
  trtllm: (ranks) => ({ 'moe-expert-parallel-size': ranks }),
};

/** What the simulator is asked of a row: a simulation of the load as it was run. */
function questionOf(source, row) {
  const { engine } = row.request;
  const args = { ...engine.args };
  if (row.load.seqs) {
    const flag = { vllm: 'max-num-seqs', sglang: 'max-running-requests', trtllm: 'max-batch-size' };
    if (flag[engine.name]) args[flag[engine.name]] = row.load.seqs;
  }
  if ((source.ep ?? 1) > 1) Object.assign(args, EXPERTS[engine.name]?.(source.ep));
  const least = (length) => Math.max(1, Math.round(length * (row.load.least ?? 1)));
  const one = row.load.kind === 'single_stream' || row.load.kind === 'prefill';
  const input = Math.max(1, Math.round(row.load.input));
  const output = Math.max(1, Math.round(row.load.output || (one ? 32 : 1)));
  const users = source.concurrency;
  if (row.bits) args['hf-file'] = `model-${source.dtype_quant}.gguf`;
  const version = row.version || engine.version;
  return {
    request: { ...row.request, engine: { ...engine, version, args } },
    load: {
      arrivals: one
        ? { kind: 'closed', concurrency: 1 }
        : row.load.rate > 0
          ? { kind: 'poisson', rate: row.load.rate }
          : source.kind === 'serve'
            ? { kind: 'closed', concurrency: users }
            : { kind: 'at_once' },
      requests: one ? 3 : row.load.prompts,
      lengths: {
        kind: 'uniform',
        input: [least(input), input],
        // Equal requests drift apart, but for an engine that takes up prompts in batches.
        output:
          row.load.spread && engine.name !== 'sglang'
            ? [
                Math.round(output * (1 - row.load.spread)),
                Math.round(output * (1 + row.load.spread)),
              ]
            : [least(output), output],
      },
    },
  };
}

/** Seconds and rates of a simulation, by the names of the rows' figures. */
function figuresOf(answer, measured) {
  const middle = (figure) => (/p50$/.test(measured[`${figure}_is`] ?? '') ? 'p50' : 'mean');
  return {
    tpot: answer.latency.tpot_s[middle('tpot')],
    ttft: answer.latency.ttft_s[middle('ttft')],
    output_tok_s: answer.throughput.output_tokens_per_s,
  };
}

const rows = speedRows();
if (rows === null) {
  console.log('skipped: the measured speeds are not here');
  process.exit(0);
}
const core = await load();
const shared = sharedOf();
const left = new Map();
const leave = (why) => left.set(why, (left.get(why) ?? 0) + 1);

/** With the version that ran, or, where the memory rules do not know it, with the nearest they do. */
async function answered(question, nearest) {
  const answer = await core.askRun('simulate', question);
  if (!answer.error?.code.includes('version')) return answer;
  const engine = { ...question.request.engine, version: nearest };
  return core.askRun('simulate', { ...question, request: { ...question.request, engine } });
}

const errors = [];
for (const source of rows) {
  const made = 'AB'.includes(source.tier)
    ? speedRequest(source, shared)
    : { excluded: `tier ${source.tier}` };
  if (made.excluded) {
    leave(made.excluded);
    continue;
  }
  const { row, measured } = made;
  const question = questionOf(source, row);
  const answer = await answered(question, row.request.engine.version);
  if (answer.error) {
    leave(`not simulated: ${answer.error.code}`);
    if (values.rows) console.log(source.id, answer.error.message, answer.error.path);
    continue;
  }
  const ours = figuresOf(answer, measured);
  const others = baselines(core.evaluate(question.request), row, shared);
  for (const figure of FIGURES) {
    if (!(measured[figure] > 0) || !(ours[figure] > 0)) continue;
    const [low, high] = answer.bands[figure === 'ttft' ? 'ttft' : 'tpot'];
    errors.push({
      id: source.id,
      figure,
      group: groupOf(source),
      half: halfOf(source),
      measured: measured[figure],
      predicted: { ours: ours[figure], ...others[figure] },
      low: ours[figure] * low,
      high: ours[figure] * high,
      source,
    });
  }
}

printSpeed(errors, rows.length, left);
if (values.rows) {
  for (const one of errors) {
    console.log([one.id, one.figure, one.measured, one.predicted.ours].join('\t'));
  }
}
if (values.write) {
  // A point a line, so that a change shows where it is.
  const { points, ...head } = factsOfSpeed(errors, rows.length, left);
  const lines = points.map((point) => `  ${JSON.stringify(point)}`).join(',\n');
  const open = JSON.stringify(head, null, 1).replace(/\n}$/, '');
  writeFileSync(values.write, `${open},\n "points": [\n${lines}\n ]\n}\n`);
}
