// Where the parts that are not in the page's own script come from. The offline file has them in
// itself and puts another module in the place of this one.

export const startWorker = (): Worker =>
  new Worker(new URL('./planner-worker.ts', import.meta.url), { type: 'module' });
