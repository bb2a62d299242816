import {
  type ExportQuery,
  type LogQuery,
  load,
  type Queries,
  type RunKind,
  type RunQueries,
  readCheckpoint,
} from 'ridgepoint';
import type { Asking, PlannerQueries, Told } from './planner';

// The worker's side of the planner.

/** What may be stopped, by the question's own number. */
const running = new Map<number, AbortController>();
const tell = (told: Told) => postMessage(told);

async function run(id: number, kind: RunKind, query: RunQueries[RunKind]): Promise<unknown> {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const core = await load();
    return await core.askRun(kind, query, {
      signal: abort.signal,
      onProgress: (progress) => tell({ id, progress }),
    });
  } finally {
    running.delete(id);
  }
}

async function answer({ id, call, args }: Asking): Promise<unknown> {
  if (call === 'run') return run(id, args[0] as RunKind, args[1] as RunQueries[RunKind]);
  if (call === 'stop') return running.get(args[0] as number)?.abort();
  const core = await load();
  if (call === 'readLog') return core.askLog(args[0] as string | Uint8Array, args[1] as LogQuery);
  if (call === 'exportAnswer') return core.exportAnswer(args[0] as ExportQuery);
  if (call === 'readCheckpoint') return readCheckpoint(args[0] as File[]);
  if (call === 'catalogue') return core.catalogue();
  const [question, query] = args as [keyof PlannerQueries, never];
  return question === 'evaluate'
    ? core.evaluate(query)
    : core.ask(question as keyof Queries, query);
}

addEventListener('message', async ({ data }: MessageEvent<Asking>) => {
  try {
    tell({ id: data.id, value: await answer(data) });
  } catch (error) {
    tell({ id: data.id, failure: error instanceof Error ? error.message : String(error) });
  }
});

// Loaded before the first question comes.
load().catch(() => {});
