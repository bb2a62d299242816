import type { LoadOptions } from 'ridgepoint';
import wasmUrl from 'ridgepoint/ridgepoint.wasm?url';
import { version } from '../package.json';

/** Where this build of the page has its compiled parts. The offline copy has them in itself. */
export interface Assets {
  /** What `load` takes to find the whole core; it can be posted to a worker. */
  core(): Promise<Pick<LoadOptions, 'wasmUrl' | 'wasmBinary'>>;
  /** The offline copy, beside the page; null in that copy. */
  offlineCopy: string | null;
  /** The licences of all that is in the page. */
  notices: string;
  build: string;
}

export const assets: Assets = {
  core: () => Promise.resolve({ wasmUrl: new URL(wasmUrl, import.meta.url).href }),
  offlineCopy: './ridgepoint-offline.html',
  notices: './notices.txt',
  build: version,
};
