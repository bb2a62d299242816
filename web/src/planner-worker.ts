import { type ExportQuery, type LogQuery, load, type Queries, readCheckpoint } from 'ridgepoint';
import type { Asking, PlannerQueries, Told } from './planner';

// The worker's side of the planner.

async function answer({ call, args }: Asking): Promise<unknown> {
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
  let told: Told;
  try {
    told = { id: data.id, value: await answer(data) };
  } catch (error) {
    told = { id: data.id, failure: error instanceof Error ? error.message : String(error) };
  }
  postMessage(told);
});

// Loaded before the first question comes.
load().catch(() => {});
