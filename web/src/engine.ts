import { type Checkpoint, type Request as Contract, load, readCheckpoint } from 'ridgepoint';
import type { Catalogue, Problem, Report, Request } from './types';

/** The core as the page uses it: everything synchronous once it is there. */
export interface Calculator {
  catalogue: Catalogue;
  evaluate(request: Request): Report | { error: Problem };
  /** What the headers of the files of one checkpoint say. */
  readCheckpoint(files: File[]): Promise<Checkpoint>;
}

export async function start(): Promise<Calculator> {
  let instance = await load();
  return {
    catalogue: instance.catalogue(),
    readCheckpoint: (files) => readCheckpoint(files),
    evaluate(request) {
      const answer = instance.evaluate(request as Contract);
      // A core that stopped is replaced, so that the next question gets an answer.
      if (!instance.usable) {
        void load().then((fresh) => {
          instance = fresh;
        });
      }
      return answer as Report | { error: Problem };
    },
  };
}
