import type { Page } from 'playwright-core';
import { capacity, simulation } from '../js/support/canned-load.mjs';

// Long questions answered with canned figures, as slowly as a test wants, in place of the worker's
// own. Everything else goes to the worker.

interface Pace {
  /** How long a run takes. */
  ms: number;
}

type Told = Record<string, unknown>;
interface Stage extends Window {
  /** What was stopped, and what was asked. */
  stops: number[];
  asked: { kind: string; query: unknown }[];
  answerOf(kind: string, query: unknown): Promise<unknown>;
}

export async function cannedRuns(page: Page, pace: Pace = { ms: 60 }): Promise<void> {
  await page.exposeFunction('answerOf', (kind: string, query: never) =>
    kind === 'capacity' ? capacity(query) : simulation(query),
  );
  await page.addInitScript(({ ms }: Pace) => {
    const stage = window as unknown as Stage;
    stage.stops = [];
    stage.asked = [];
    const Real = window.Worker;
    window.Worker = class extends Real {
      readonly #timers = new Map<number, ReturnType<typeof setInterval>>();

      override postMessage(message: { id: number; call: string; args: unknown[] }) {
        const { id, call, args } = message;
        if (call === 'run') this.#run(id, String(args[0]), args[1]);
        else if (call === 'stop') {
          stage.stops.push(Number(args[0]));
          clearInterval(this.#timers.get(Number(args[0])));
        } else super.postMessage(message);
      }

      #tell(data: Told) {
        this.dispatchEvent(new MessageEvent('message', { data }));
      }

      #run(id: number, kind: string, query: unknown) {
        stage.asked.push({ kind, query });
        const start = performance.now();
        const timer = setInterval(async () => {
          const share = Math.min(1, (performance.now() - start) / ms);
          const finished = Math.floor(share * 1000);
          this.#tell({
            id,
            progress: {
              done: share === 1,
              share,
              finished,
              asked: 1000,
              time_s: share * 250,
              steps: 4000,
              running: 31,
              waiting: 2,
              kv_share: 0.4,
            },
          });
          if (share < 1) return;
          clearInterval(timer);
          this.#tell({ id, value: await stage.answerOf(kind, query) });
        }, 30);
        this.#timers.set(id, timer);
      }
    };
  }, pace);
}
