import {
  type Answers,
  type Checkpoint,
  type Request as Contract,
  type ErrorReport,
  type ExportQuery,
  type LogAnswer,
  type LogQuery,
  load,
  type Queries,
  type Ridgepoint,
  readCheckpoint,
} from 'ridgepoint';
import { assets } from './assets';
import type { Catalogue, Problem, Report, Request } from './types';

/** The core as the page uses it: everything synchronous once it is there. */
export interface Calculator {
  catalogue: Catalogue;
  evaluate(request: Request): Report | { error: Problem };
  /** Scan, recommend, compare, advise, explain, and commands read and written. */
  ask<Q extends keyof Queries>(question: Q, query: Queries[Q]): Answers[Q] | ErrorReport;
  /** What a start-up log says. */
  readLog(log: string | Uint8Array, query?: LogQuery): LogAnswer | ErrorReport;
  /** An answer as CSV, Markdown or text; throws a RidgepointError for what is no answer. */
  exportAnswer(query: ExportQuery): string;
  /** What the headers of the files of one checkpoint say. */
  readCheckpoint(files: File[]): Promise<Checkpoint>;
}

export async function start(): Promise<Calculator> {
  const where = await assets.core();
  let instance = await load(where);
  function asked<T>(question: (core: Ridgepoint) => T): T {
    try {
      return question(instance);
    } finally {
      // A core that stopped is replaced, so that the next question gets an answer.
      if (!instance.usable) {
        void load(where).then((fresh) => {
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
    ask: (question, query) => asked((core) => core.ask(question, query)),
    readLog: (log, query) => asked((core) => core.askLog(log, query)),
    exportAnswer: (query) => asked((core) => core.exportAnswer(query)),
  };
}
