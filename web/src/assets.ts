import { version } from '../package.json';

// Where the parts that are not in the page's own script come from. The offline file has them in
// itself and puts offline/assets.ts in the place of this one.

export const startWorker = (): Worker =>
  new Worker(new URL('./planner-worker.ts', import.meta.url), { type: 'module' });

/** The offline file, beside the page; null in that file. */
export const offlineFile: string | null = './ridgepoint-offline.html';

/** The licences of all that is in the page. */
export const notices = './notices.txt';

/** The pages of the site, to put a hash behind. */
export const calculatorPage = './';
export const accuracyPage = './accuracy.html';

export const build: string = version;
