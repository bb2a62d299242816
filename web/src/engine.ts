import type { Request as Contract } from 'ridgepoint';
import {
  type AnswerCatalogue,
  type AnswerCore,
  type AnswerEngine,
  startAnswer,
} from 'ridgepoint/answer';
import { startAnswerCore } from 'ridgepoint/answer-core';
import { takeFirstCore } from './first/core';
import type { Planner } from './planner';
import type { Catalogue, Problem, Report, Request } from './types';

// The first answer comes from a small module of one engine, at once and on the page's own thread. What
// that module leaves out is asked of the whole core, which comes later.

/** `waiting`: the part that can answer is still on its way. */
export type Evaluated = Report | { error: Problem } | { waiting: true };

export interface Calculator {
  /** Empty until it has started. */
  readonly catalogue: Catalogue;
  /** The module that answers first is there, or why it is not. */
  readonly started: Promise<void>;
  readonly waiting: boolean;
  evaluate(request: Request): Evaluated;
  /** Gives the calculator the rest of itself; `changed` is called when there is something new. */
  complete(planner: Planner, changed: () => void): void;
}

const engines: readonly AnswerEngine[] = ['vllm', 'sglang', 'trtllm', 'llamacpp'];
const engineOf = (name: string): AnswerEngine | undefined => engines.find((one) => one === name);

/** Requests whose answers came from the whole core: going back to one costs nothing. */
const REMEMBERED = 50;

class TwoCores implements Calculator {
  readonly started: Promise<void>;
  #catalogue: Catalogue = { version: '', gpus: [], models: [], engines: [] };
  readonly #small = new Map<AnswerEngine, AnswerCore | 'loading'>();
  readonly #told = new Map<string, Report | { error: Problem }>();
  readonly #asked = new Set<string>();
  #planner: Planner | null = null;
  #changed = () => {};

  constructor(engine: AnswerEngine) {
    this.#small.set(engine, 'loading');
    this.started = firstCore(engine).then((core) => {
      this.#small.set(engine, core);
      this.#catalogue = withFlags(core.catalogue());
    });
    // Who waits for it is told.
    this.started.catch(() => {});
  }

  get waiting() {
    return this.#catalogue.version === '';
  }

  get catalogue() {
    return this.#catalogue;
  }

  complete(planner: Planner, changed: () => void) {
    this.#planner = planner;
    this.#changed = changed;
    void planner.catalogue().then((whole) => {
      if (!whole) return;
      this.#catalogue = whole;
      changed();
    });
  }

  evaluate(request: Request): Evaluated {
    const core = this.#coreFor(request.engine.name);
    if (core === 'loading') return { waiting: true };
    if (core === null) return this.#askWhole(request);
    const told = core.evaluate(request as Contract) as Report | { error: Problem };
    if (!('error' in told) || told.error.code !== 'not_here') {
      if (!core.usable) this.#small.delete(core.engine as AnswerEngine);
      return told;
    }
    return this.#askWhole(request);
  }

  /** The small module of an engine; an engine that has none is the whole core's. */
  #coreFor(name: string): AnswerCore | 'loading' | null {
    const engine = engineOf(name);
    if (!engine) return null;
    const core = this.#small.get(engine);
    if (core) return core;
    this.#small.set(engine, 'loading');
    void startAnswer({ engine }).then(
      (started) => {
        this.#small.set(engine, started);
        this.#catalogue = joined(this.#catalogue, withFlags(started.catalogue()));
        this.#changed();
      },
      () => {
        // The network may be back the next time; until then the whole core answers.
        this.#small.delete(engine);
        this.#changed();
      },
    );
    return 'loading';
  }

  #askWhole(request: Request): Evaluated {
    const key = JSON.stringify(request);
    const known = this.#told.get(key);
    if (known) return known;
    if (this.#planner && !this.#asked.has(key)) {
      this.#asked.add(key);
      void this.#planner.ask('evaluate', request as Contract).then((told) => {
        this.#asked.delete(key);
        if (this.#told.size >= REMEMBERED) this.#told.clear();
        this.#told.set(key, told as Report | { error: Problem });
        this.#changed();
      });
    }
    return { waiting: true };
  }
}

/** A small module knows the flags of its own engine, and no help for them. */
const withFlags = (catalogue: AnswerCatalogue): Catalogue => ({
  ...catalogue,
  engines: catalogue.engines.map((engine) => ({
    ...engine,
    flags: (engine.flags ?? []).map((flag) => ({ help: '', ...flag })),
  })) as Catalogue['engines'],
});

/** Flags that one has and the other lacks. */
const joined = (known: Catalogue, more: Catalogue): Catalogue => ({
  ...known,
  engines: known.engines.map((engine) =>
    engine.flags.length > 0
      ? engine
      : (more.engines.find(({ name }) => name === engine.name) ?? engine),
  ),
});

function firstCore(engine: AnswerEngine): Promise<AnswerCore> {
  const early = takeFirstCore(engine);
  return early ? startAnswerCore(early, engine) : startAnswer({ engine });
}

/** Starts with the module of the engine that is asked about first. */
export const start = (engine: string): Calculator => new TwoCores(engineOf(engine) ?? 'vllm');
