import PlannerWorker from '../planner-worker.ts?worker&inline';
import { coreBytes } from './bytes';

// Stands in for ../assets.ts in the one file that opens from a disk. web/plugins/offline-copy.ts
// writes the elements that are read here.

export function startWorker(): Worker {
  const worker = new PlannerWorker();
  void coreBytes().then((core) => worker.postMessage({ core }));
  return worker;
}

export const offlineFile = null;

export const notices = URL.createObjectURL(
  new Blob([document.querySelector('#ridgepoint-notices')?.textContent ?? ''], {
    type: 'text/plain;charset=utf-8',
  }),
);

export const calculatorPage = '?';
export const accuracyPage = '?accuracy';

export const build =
  document.querySelector<HTMLMetaElement>('meta[name="ridgepoint-build"]')?.content ?? '';
