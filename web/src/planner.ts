import type {
  Answers,
  Catalogue,
  Checkpoint,
  ErrorReport,
  ExportQuery,
  LogAnswer,
  LogQuery,
  Progress,
  Queries,
  Report,
  Request,
  RunAnswers,
  RunKind,
  RunOptions,
  RunQueries,
} from 'ridgepoint';
import { startWorker } from './assets';
import type { Problem } from './types';

// The whole core in a worker: everything but the first answer is worked out there, so that typing
// never waits for it.

/** All questions of the core, and the whole report of a request. */
export interface PlannerQueries extends Queries {
  evaluate: Request;
}

export interface PlannerAnswers extends Answers {
  evaluate: Report;
}

export interface Planner {
  ask<Q extends keyof PlannerQueries>(
    question: Q,
    query: PlannerQueries[Q],
  ): Promise<PlannerAnswers[Q] | ErrorReport>;
  /** A question that takes long; rejects when it is stopped. */
  run<K extends RunKind>(
    kind: K,
    query: RunQueries[K],
    options: RunOptions,
  ): Promise<RunAnswers[K] | ErrorReport>;
  readLog(log: string | Uint8Array, query?: LogQuery): Promise<LogAnswer | ErrorReport>;
  /** An answer as CSV, Markdown or text; rejects for what is no answer. */
  exportAnswer(query: ExportQuery): Promise<string>;
  /** What the headers of the files of one checkpoint say; rejects for what is none. */
  readCheckpoint(files: File[]): Promise<Checkpoint>;
  /** All that the core knows of; nothing while it cannot be had. */
  catalogue(): Promise<Catalogue | null>;
  /** Starts the download of the core before the first question. */
  warm(): void;
}

export interface Asking {
  id: number;
  call: 'ask' | 'run' | 'stop' | 'readLog' | 'exportAnswer' | 'readCheckpoint' | 'catalogue';
  args: unknown[];
}

export type Told =
  | { id: number; value: unknown }
  | { id: number; failure: string }
  | { id: number; progress: Progress };

const unavailable = (message: string): ErrorReport => ({
  error: { code: 'planner_unavailable', message, path: '' },
});

class WorkerPlanner implements Planner {
  #worker: Worker | null = null;
  /** Questions from before it was allowed to start: the first answer has the network to itself. */
  #early: Asking[] | null = [];
  #next = 1;
  readonly #waiting = new Map<number, [(value: unknown) => void, (reason: Error) => void]>();
  readonly #followed = new Map<number, RunOptions['onProgress']>();

  #start(): Worker {
    const worker = startWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if ('progress' in data) {
        this.#followed.get(data.id)?.(data.progress);
        return;
      }
      const [done, failed] = this.#waiting.get(data.id) ?? [];
      this.#waiting.delete(data.id);
      if ('failure' in data) failed?.(new Error(data.failure));
      else done?.(data.value);
    });
    // A worker that could not be loaded answers nothing; the next question tries again.
    worker.addEventListener('error', (event) => this.#fail(event.message || 'worker'));
    this.#worker = worker;
    return worker;
  }

  #fail(message: string) {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [, failed] of waiting) failed(new Error(message));
  }

  #call(call: Asking['call'], args: unknown[]): Promise<unknown> {
    return new Promise((done, failed) => {
      const id = this.#next++;
      this.#waiting.set(id, [done, failed]);
      const asking: Asking = { id, call, args };
      if (this.#early) this.#early.push(asking);
      else this.#post(asking);
    });
  }

  #post(asking: Asking) {
    try {
      (this.#worker ?? this.#start()).postMessage(asking);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  warm() {
    if (!this.#worker) this.#start();
    const early = this.#early ?? [];
    this.#early = null;
    for (const asking of early) this.#post(asking);
  }

  async ask<Q extends keyof PlannerQueries>(question: Q, query: PlannerQueries[Q]) {
    try {
      return (await this.#call('ask', [question, query])) as PlannerAnswers[Q] | ErrorReport;
    } catch (error) {
      return unavailable(String(error));
    }
  }

  async run<K extends RunKind>(kind: K, query: RunQueries[K], { onProgress, signal }: RunOptions) {
    const answer = this.#call('run', [kind, query]);
    const id = this.#next - 1;
    this.#followed.set(id, onProgress);
    signal?.addEventListener('abort', () => {
      const [, failed] = this.#waiting.get(id) ?? [];
      if (!failed) return;
      // What the worker still says of it is not waited for.
      this.#waiting.delete(id);
      failed(signal.reason);
      this.#call('stop', [id]).catch(() => {});
    });
    try {
      return (await answer) as RunAnswers[K] | ErrorReport;
    } catch (error) {
      if (signal?.aborted) throw error;
      return unavailable(String(error));
    } finally {
      this.#followed.delete(id);
    }
  }

  async readLog(log: string | Uint8Array, query?: LogQuery) {
    try {
      return (await this.#call('readLog', [log, query])) as LogAnswer | ErrorReport;
    } catch (error) {
      return unavailable(String(error));
    }
  }

  async catalogue() {
    try {
      return (await this.#call('catalogue', [])) as Catalogue;
    } catch {
      return null;
    }
  }

  exportAnswer(query: ExportQuery) {
    return this.#call('exportAnswer', [query]) as Promise<string>;
  }

  readCheckpoint(files: File[]) {
    return this.#call('readCheckpoint', [files]) as Promise<Checkpoint>;
  }
}

export const startPlanner = (): Planner => new WorkerPlanner();

export interface Asked<Q extends keyof PlannerAnswers> {
  /** The answer to this query or, while it is worked out, to the one before. */
  answer: PlannerAnswers[Q] | null;
  problem: Problem | null;
  waiting: boolean;
}

const QUIET_MS = 80;

/**
 * One place of a view that shows the answer to a question: asked again when the query is another,
 * and the latest query wins.
 */
export class Question<Q extends keyof PlannerQueries> {
  #key = '';
  #asked: Asked<Q> = { answer: null, problem: null, waiting: false };
  #running = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted: PlannerQueries[Q] | null = null;

  constructor(
    private readonly planner: Planner,
    private readonly question: Q,
    private readonly changed: () => void,
  ) {}

  for(query: PlannerQueries[Q] | null): Asked<Q> {
    if (query === null) return this.#asked;
    const key = JSON.stringify(query);
    if (key !== this.#key) {
      this.#key = key;
      this.#wanted = query;
      const first = this.#asked.answer === null;
      this.#asked = { ...this.#asked, waiting: true };
      clearTimeout(this.#timer);
      // While someone types, the answer at hand is enough, and the browser has better things to do.
      if (first) void this.#run();
      else this.#timer = setTimeout(() => void this.#run(), QUIET_MS);
    }
    return this.#asked;
  }

  /** One at a time: what was typed meanwhile is asked once, in its last form. */
  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#wanted !== null) {
      const query = this.#wanted;
      this.#wanted = null;
      const told = await this.planner.ask(this.question, query);
      if (this.#wanted !== null) continue;
      if ('error' in told) {
        const problem = (told as ErrorReport).error as Problem;
        this.#asked = { answer: null, problem, waiting: false };
      } else {
        this.#asked = { answer: told as PlannerAnswers[Q], problem: null, waiting: false };
      }
      this.changed();
    }
    this.#running = false;
  }
}
