// Checked by the compiler only: what users of the package may write, and what they may not.
import {
  type AlsoStored,
  type AttentionLabel,
  advise,
  ask,
  askLog,
  type Catalogue,
  catalogue,
  compare,
  type ErrorReport,
  type Estimate,
  evaluate,
  evaluateText,
  explain,
  exportAnswer,
  fit,
  load,
  type ModelPart,
  type PartParameters,
  type Report,
  type Request,
  Ridgepoint,
  RidgepointError,
  readCheckpoint,
  readCommand,
  readLog,
  recommend,
  run,
  type ScanAnswer,
  scan,
  version,
  writeCommand,
} from 'ridgepoint';
import { classify, fetchModel, HubError, resolveUrl } from 'ridgepoint/hub';

const request: Request = {
  id: 'a',
  model: { id: 'org/name', config: { hidden_size: 4096 }, quant_config: null, weight_bytes: null },
  gpu: { id: 'a100-sxm-80gb', count: 1, total_bytes: null, free_bytes: null },
  engine: {
    name: 'vllm',
    version: '0.28.0',
    args: {
      'gpu-memory-utilization': 0.9,
      'enforce-eager': true,
      'compilation-config': { mode: 3 },
    },
    env: { VLLM_USE_V1: '1' },
  },
  workload: { context: 8192, prompt: 2048, output: 256, concurrency: null },
  measured: { weights_bytes: null, kv_pool_bytes: 1 },
};

export async function asynchronous(): Promise<void> {
  const report: Report = await fit(request);
  const pool: Estimate = report.memory.per_gpu.kv_pool;
  const claimed: number | null = report.memory.per_gpu.requested;
  const either: Report | ErrorReport = await evaluate(request);
  if ('error' in either) {
    const code: string = either.error.code;
    use(code);
  }
  const known: Catalogue = await catalogue();
  const texts: string[] = [await evaluateText('{}'), await version()];
  use(pool, claimed, known.engines[0].flags[0].effect, texts, report.model.something_new);

  const experts: PartParameters | undefined = report.model.parameters_by_part.experts;
  const besides: AlsoStored = report.model.may_also_store;
  const kind: AttentionLabel = report.model.attention;
  const guessed: boolean = report.model.confidence === 'assumed';
  const method: string = report.model.quantization;
  const parts = Object.keys(report.model.parameters_by_part) as ModelPart[];
  use(experts?.active ?? 0, besides.tied_lm_head + besides.quantization_scales, kind === 'ssm');
  use(besides.rotary_buffers, guessed, method, parts, report.cache.state_bytes_per_request);
  // @ts-expect-error a model need not have every part
  use(report.model.parameters_by_part.vision.total);
  // @ts-expect-error there is no such part
  use(report.model.parameters_by_part.tail);
  // @ts-expect-error the kinds of attention are known
  use(report.model.attention === 'linear');

  // @ts-expect-error a misspelt field of a request is caught
  await fit({ ...request, workloads: {} });
  // @ts-expect-error an engine needs a name
  await fit({ ...request, engine: {} });
  // @ts-expect-error flags are JSON values
  await fit({ ...request, engine: { name: 'vllm', args: { x: () => 1 } } });
}

export async function synchronous(): Promise<void> {
  const core: Ridgepoint = await load({ wasmUrl: new URL('https://example.com/ridgepoint.wasm') });
  const report: Report = core.fit(request);
  const low: number | undefined = report.speed?.ttft_s.low;
  use(low, core.version(), core.catalogue().gpus[0].aliases, core.usable);
  const custom = new Ridgepoint({
    evaluate: (text) => text,
    catalogue: () => '{}',
    version: () => '0',
  });
  use(custom.evaluateText('{}'));
  // @ts-expect-error the loaded object answers at once, there is nothing to wait for
  core.fit(request).then(use);
}

export async function questions(): Promise<void> {
  const scanned = await scan({ request, axes: [{ name: 'context', values: [4096] }] });
  const [cell] = scanned.cells;
  if (cell.error) use(cell.error.message);
  else use(cell.max_requests.best, cell.speed?.tpot_s.low, cell.change.workload?.context);
  const found = await recommend({
    model: { id: 'org/name' },
    workload: { context: 8192, concurrency: 8, tpot_s: 0.03 },
    constraints: { gpus: ['h100'], max_count: 8, kv_formats: ['auto', 'fp8'] },
    prices: { h100: 2.49 },
    rank_by: 'price',
  });
  await fit(found.answers[0].request);
  const compared = await compare({ setups: [{ label: 'a', request }, { request }] });
  use(compared.setups[0].report.verdict.serves, compared.differences[0].pool.terms[0].why);
  const advised = await advise(request);
  use(advised.changes[0].edit.set, advised.waste[0].request?.gpu.id);
  use((await explain(request)).steps[0].rule);
  const command = await readCommand({ text: 'vllm serve org/name', gpu: { id: 'h100' } });
  use(command.flags[0].use === 'unknown', command.request.engine.args);
  use((await writeCommand({ request, form: 'docker' })).text);
  const log = await readLog(new Uint8Array(9), { request });
  use(log.outcome === 'oom', log.calibrated?.measured?.kv_pool_bytes, await readLog('text'));
  use(await exportAnswer({ answer: log, format: 'csv', table: 'facts' }));
  const either: ScanAnswer | ErrorReport = await ask('scan', { request });
  if (!('error' in either)) use(either.axes[0].values);
  const core = await load();
  use(core.ask('recommend', { model: {} }), core.askLog('x'), await askLog('x', {}));
  use(core.scan({ request }).kind, core.exportAnswer({ answer: found, format: 'text', width: 60 }));
  const abort = new AbortController();
  const told = await run(
    'simulate',
    {
      request,
      load: {
        arrivals: { kind: 'gamma', rate: 4, burstiness: 0.5 },
        lengths: { kind: 'preset', name: 'chat' },
        prefix: { shared_tokens: 500 },
      },
      slo: { ttft_s: 0.5, percentile: 0.99 },
    },
    { signal: abort.signal, onProgress: ({ share, note }) => use(share * 2, note) },
  );
  use(told.latency.ttft_s.p99, told.goodput?.meets, told.limit.what === 'kv_pool');
  const most = await core.askRun('capacity', {
    request,
    load: { arrivals: { kind: 'poisson', rate: 1 } },
    slo: { tpot_s: 0.05 },
    over: 'rate',
  });
  if (!('error' in most)) use(most.best?.value, most.changes[0].edit.set, most.curve[0].meets);
  await run('capacity', { request, load: { arrivals: { kind: 'poisson' } } });
  // @ts-expect-error a simulation has a rate
  await run('simulate', { request, load: { arrivals: { kind: 'poisson' } } });
  // @ts-expect-error gamma arrivals have a shape
  await run('simulate', { request, load: { arrivals: { kind: 'gamma', rate: 4 } } });
  // @ts-expect-error there is no such axis
  await scan({ request, axes: [{ name: 'colour' }] });
  // @ts-expect-error there is no such form
  await writeCommand({ request, form: 'nomad' });
  // @ts-expect-error a misspelt constraint is caught
  await recommend({ model: {}, constraints: { gpu: ['h100'] } });
  // @ts-expect-error there is no such question
  await ask('guess', { request });
}

export async function weights(): Promise<void> {
  const { tensors, from, notes } = await readCheckpoint('org/name:m.gguf', { token: 'x' });
  const report = await fit({ ...request, model: { tensors } });
  const source: 'config' | 'given' | 'safetensors index' | 'safetensors headers' | 'gguf' =
    report.model.weights_source;
  use(source, report.model.stored_parameters ?? 0, from, notes);
  use(await readCheckpoint([new Blob()]), await readCheckpoint(new URL('https://example.com/a')));
  const header = (await load()).readCheckpointHeader(new Uint8Array(9));
  if ('need_bytes' in header) use(header.need_bytes);
  else if ('gguf' in header) use(header.gguf.metadata, header.gguf.tensors[0].type);
  // @ts-expect-error a number is no place of a checkpoint
  await readCheckpoint(3);
}

export async function hub(): Promise<void> {
  const what = classify('org/name@main');
  if (what.kind === 'id') use(what.id, what.revision);
  else if (what.kind === 'url') use(what.url);
  else use(what.text);
  try {
    const { model, notes } = await fetchModel('org/name', { token: 'x', hub: 'https://hub.test' });
    await fit({ ...request, model });
    use(notes, resolveUrl('org/name', { revision: 'main' }));
  } catch (error) {
    if (error instanceof HubError) use(error.code, error.status);
    if (error instanceof RidgepointError) use(error.code, error.path);
  }
}

function use(..._values: unknown[]): void {}
