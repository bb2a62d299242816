import {
  type Checkpoint,
  type Request as Contract,
  load,
  type Ridgepoint,
  readCheckpoint,
} from 'ridgepoint';
import type { Catalogue, Problem, Report, Request } from './types';

/** The core as the page's first answer uses it: synchronous once it is there. */
export interface Calculator {
  catalogue: Catalogue;
  evaluate(request: Request): Report | { error: Problem };
  /** What the headers of the files of one checkpoint say. */
  readCheckpoint(files: File[]): Promise<Checkpoint>;
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
    readCheckpoint: (files) => readCheckpoint(files),
    evaluate: (request) =>
      asked((core) => core.evaluate(request as Contract)) as Report | { error: Problem },
  };
}
