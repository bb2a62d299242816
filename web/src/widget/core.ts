import { rare, text } from 'virtual:core-bytes';
import type { Request as Contract } from 'ridgepoint';
import { type AnswerCore, startAnswerCore } from 'ridgepoint/answer-core';
import type { Catalogue, Problem, Report, Request } from '../types';
import { bytesOf } from './bytes';

// One core for all the calculators of a page, started when the first of them is connected.

export interface Core {
  catalogue: Catalogue;
  evaluate(request: Request): Report | { error: Problem };
}

/** Why there is no core: the browser has no WebAssembly, the page's policy forbids it, or a fault. */
export class NoCore extends Error {
  constructor(
    readonly why: 'missing' | 'forbidden' | 'failed',
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The smallest module there is: a page that forbids WebAssembly forbids this one too. */
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

async function checkAllowed(): Promise<void> {
  if (typeof WebAssembly !== 'object') throw new NoCore('missing', 'WebAssembly is not defined');
  try {
    await WebAssembly.compile(EMPTY_MODULE);
  } catch (cause) {
    throw new NoCore('forbidden', cause);
  }
}

async function instance(): Promise<AnswerCore> {
  await checkAllowed();
  try {
    return await startAnswerCore(bytesOf(text, rare), 'all');
  } catch (cause) {
    throw new NoCore('failed', cause);
  }
}

async function start(): Promise<Core> {
  let core = await instance();
  return {
    // Without the help of the flags, which nothing here shows.
    catalogue: core.catalogue() as Catalogue,
    evaluate(request) {
      const answer = core.evaluate(request as Contract) as Report | { error: Problem };
      // A core that stopped is replaced, so that the next question gets an answer.
      if (!core.usable) {
        void instance().then(
          (fresh) => {
            core = fresh;
          },
          () => {},
        );
      }
      return answer;
    },
  };
}

let shared: Promise<Core> | undefined;

export const sharedCore = (): Promise<Core> => (shared ??= start());
