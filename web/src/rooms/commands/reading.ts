import type { ErrorReport } from 'ridgepoint';
import type { Problem } from '../../types';

// One place of a view that shows what was read from a text too long to be compared on every
// drawing: the caller names it by a key instead.

export class Reading<A extends object> {
  answer: A | null = null;
  problem: Problem | null = null;
  waiting = false;
  #key = '';
  #wanted: (() => Promise<A | ErrorReport>) | null = null;
  #running = false;

  constructor(private readonly changed: () => void) {}

  /** Reads again when the key is another one; the latest wins. */
  for(key: string, ask: () => Promise<A | ErrorReport>): this {
    if (key === this.#key) return this;
    this.#key = key;
    this.#wanted = ask;
    this.waiting = true;
    void this.#run();
    return this;
  }

  forget() {
    this.#key = '';
    this.#wanted = null;
    this.answer = null;
    this.problem = null;
    this.waiting = false;
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#wanted !== null) {
      const ask = this.#wanted;
      this.#wanted = null;
      const key = this.#key;
      const told = await ask().catch((error: unknown) => ({
        error: { code: 'unreadable', message: String(error), path: '' },
      }));
      if (key !== this.#key) continue;
      this.waiting = false;
      this.answer = 'error' in told ? null : (told as A);
      this.problem = 'error' in told ? (told.error as Problem) : null;
      this.changed();
    }
    this.#running = false;
  }
}
