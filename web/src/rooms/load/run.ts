import type { Progress, RunAnswers, RunKind, RunQueries } from 'ridgepoint';
import type { Planner } from '../../planner';
import type { Problem } from '../../types';

// One long question of the view at a time: a newer one stops the one before.

/** For the typing to stop. */
export const QUIET_MS = 300;

export interface Ran<K extends RunKind> {
  /** The last answer, and the query that it answers. */
  answer: RunAnswers[K] | null;
  of: RunQueries[K] | null;
  problem: Problem | null;
  /** While one runs, how far it is; null before it is known. */
  running: boolean;
  progress: Progress | null;
  /** The reader stopped it. */
  stopped: boolean;
}

export class RunQuestion<K extends RunKind> {
  state: Ran<K> = {
    answer: null,
    of: null,
    problem: null,
    running: false,
    progress: null,
    stopped: false,
  };
  #asked: RunQueries[K] | null = null;
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly planner: Planner,
    private readonly kind: K,
    private readonly changed: () => void,
  ) {}

  /** Asks when the query is another object than the one before, after `quiet` milliseconds. */
  ask(query: RunQueries[K], quiet: number): void {
    if (query === this.#asked) return;
    this.#asked = query;
    this.#abort?.abort();
    this.#abort = null;
    clearTimeout(this.#timer);
    this.state = { ...this.state, running: true, progress: null, stopped: false };
    if (quiet === 0) void this.#run(query);
    else this.#timer = setTimeout(() => void this.#run(query), quiet);
  }

  /** What was asked for before is wanted no more. */
  forget(): void {
    if (this.#asked === null) return;
    this.#asked = null;
    this.#end();
  }

  readonly stop = (): void => {
    if (!this.state.running) return;
    this.#end();
    this.state = { ...this.state, stopped: true };
    this.changed();
  };

  readonly again = (): void => {
    const query = this.#asked;
    if (!query) return;
    this.#asked = null;
    this.ask(query, 0);
    this.changed();
  };

  #end() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
    this.state = { ...this.state, running: false, progress: null };
  }

  async #run(query: RunQueries[K]) {
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const told = await this.planner.run(this.kind, query, {
        signal: abort.signal,
        onProgress: (progress) => {
          if (abort.signal.aborted) return;
          this.state = { ...this.state, progress };
          this.changed();
        },
      });
      if (abort.signal.aborted) return;
      const ended = { ...this.state, running: false, progress: null };
      this.state =
        'error' in told
          ? { ...ended, problem: told.error as Problem, answer: null, of: query }
          : { ...ended, problem: null, answer: told as RunAnswers[K], of: query };
      this.changed();
    } catch (error) {
      // A run that was stopped has been told of already.
      if (!abort.signal.aborted) throw error;
    }
  }
}
