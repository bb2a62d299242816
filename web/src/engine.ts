import { type Request as Contract, load, type Ridgepoint } from 'ridgepoint';
import type { Catalogue, Problem, Report, Request } from './types';

/** The core as the page's first answer uses it: synchronous once it is there. */
export interface Calculator {
  catalogue: Catalogue;
  evaluate(request: Request): Report | { error: Problem };
}

export async function start(): Promise<Calculator> {
  let instance = await load();
  function asked<T>(question: (core: Ridgepoint) => T): T {
    try {
      return question(instance);
    } finally {
      // A core that stopped is replaced, so that the next question gets an answer.
      if (!instance.usable) {
        void load().then((fresh) => {
          instance = fresh;
        });
      }
    }
  }
  return {
    catalogue: instance.catalogue(),
    evaluate: (request) =>
      asked((core) => core.evaluate(request as Contract)) as Report | { error: Problem },
  };
}
