import { render } from 'lit-html';
import { type Lang, languages } from '../format';
import { type Locale, loadLocale } from '../locale';
import { type Answer, empty, evaluate, type Session } from '../session';
import type { Inputs } from '../state';
import bar from '../style/bar.css?inline';
import type { Problem, Report, Request } from '../types';
import { type Core, NoCore, sharedCore } from './core';
import { cardOf, cardText, engineOf, inputsOf, type Setup, TEXTS } from './setup';
import { type Show, type Theme, themes, type Views, views, widget } from './view';
import css from './widget.css?inline';
import { words } from './words';

// <ridgepoint-calculator>: attributes in, an answer and events out. Everything it shows is in its own
// shadow tree with its own style sheet; a page's styles do not reach it.

const LOOKS = ['view', 'theme', 'site'] as const;
const PROPERTIES = [...TEXTS, ...LOOKS, 'readonly', 'config'] as const;
const SAY_MS = 700;

let shared: CSSStyleSheet | undefined;

function sheet(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(bar + css);
  }
  return shared;
}

const oneOf = <T extends string>(all: readonly T[], value: string | null, usual: T): T =>
  all.find((each) => each === value?.trim().toLowerCase()) ?? usual;

/** The language of the place where an element stands, across the shadow trees around it. */
function langOf(element: Element): Lang {
  const known = (text: string | null | undefined) =>
    languages.find((lang) => text?.toLowerCase().split('-')[0] === lang);
  for (let at: Element | null = element; at; ) {
    const found = known(at.getAttribute('lang'));
    if (found) return found;
    const root: Node = at.getRootNode();
    at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return navigator.languages.map(known).find(Boolean) ?? 'en';
}

/** What a reader may write into the form; each goes to the attribute of its name. */
export interface Edits {
  model(id: string): void;
  card(id: string, count: string): void;
  engine(name: string): void;
  ctx(tokens: string): void;
  concurrency(requests: string): void;
}

export class RidgepointCalculator extends HTMLElement {
  static readonly observedAttributes = [...TEXTS, ...LOOKS, 'readonly', 'lang'];

  declare model: string;
  declare gpu: string;
  declare engine: string;
  declare ctx: string;
  declare prompt: string;
  declare output: string;
  declare concurrency: string;
  declare flags: string;
  declare view: string;
  declare theme: string;
  declare site: string;

  readonly #root = this.attachShadow({ mode: 'open' });
  #config: Record<string, unknown> | null = null;
  #core: Core | null = null;
  #noCore: NoCore | null = null;
  #locale: Locale | null = null;
  #session: Session = empty;
  #inputs: Inputs | null = null;
  /** The setup of the last answer, and in which language its words are. */
  #answered = '';
  #waiting = false;
  /** Version and flags of the engines that the reader left, for when they come back. */
  readonly #left = new Map<string, { engine: string; flags: string }>();
  #spoken = '';
  #saying = 0;
  #edited = false;

  connectedCallback() {
    for (const name of PROPERTIES) this.#upgrade(name);
    this.#root.adoptedStyleSheets = [sheet()];
    void this.#start();
    this.#change();
  }

  attributeChangedCallback() {
    this.#change();
  }

  /** The parsed `config.json` of a model that is not built in; it takes the place of `model`. */
  get config() {
    return this.#config;
  }
  set config(config: Record<string, unknown> | null) {
    this.#config = config ?? null;
    this.#change();
  }

  get readonly() {
    return this.hasAttribute('readonly');
  }
  set readonly(on: boolean) {
    this.toggleAttribute('readonly', Boolean(on));
  }

  /** The answer to what the attributes say now; null while there is none. */
  get report(): Report | null {
    return this.#current()?.report ?? null;
  }

  /** The request that `report` answers. */
  get request(): Request | null {
    return this.#current()?.request ?? null;
  }

  #current(): Answer | null {
    if (this.#waiting) this.#update();
    const { answer, problem, pending } = this.#session;
    return problem || pending !== null ? null : answer;
  }

  /** A property that was set before the script was there goes through its setter now. */
  #upgrade(name: (typeof PROPERTIES)[number]) {
    if (!Object.hasOwn(this, name)) return;
    const self = this as unknown as Record<string, unknown>;
    const value = self[name];
    delete self[name];
    self[name] = value;
  }

  async #start() {
    try {
      this.#core = await sharedCore();
    } catch (error) {
      this.#noCore = error instanceof NoCore ? error : new NoCore('failed', error);
    }
    this.#change();
  }

  /** Once for all the attributes that a script sets together. */
  #change() {
    if (this.#waiting || !this.isConnected) return;
    this.#waiting = true;
    queueMicrotask(() => {
      if (this.#waiting) this.#update();
    });
  }

  #update() {
    this.#waiting = false;
    const lang = langOf(this);
    if (this.#locale?.lang !== lang) {
      void loadLocale(lang).then((locale) => {
        this.#locale = locale;
        this.#change();
      });
      return;
    }
    const isNew = this.#core ? this.#answer(this.#core, this.#locale) : this.#fails();
    this.#draw(this.#locale);
    if (isNew) this.#tell(this.#locale);
  }

  #setup(): Setup {
    const texts = TEXTS.map((name) => [name, this.getAttribute(name)?.trim() ?? '']);
    return { ...Object.fromEntries(texts), config: this.#config } as Setup;
  }

  /** Works the answer out where the setup is another, and says whether it is. */
  #answer(core: Core, locale: Locale): boolean {
    const setup = this.#setup();
    const asked = JSON.stringify(setup);
    if (this.#answered === asked + locale.lang) return false;
    const isNew = !this.#answered.startsWith(asked);
    this.#answered = asked + locale.lang;
    const read = inputsOf(setup, core.catalogue);
    const before = this.#session;
    if ('problem' in read) {
      this.#session = { ...empty, answer: before.answer, problem: read.problem };
    } else {
      this.#inputs = read.inputs;
      const lacking = this.#lacking(setup, locale);
      this.#session = lacking
        ? { ...empty, answer: before.answer, problem: lacking }
        : evaluate(core, read.inputs, null, null, before, locale.words);
    }
    return isNew;
  }

  /** Whether it is told now, and for the first time, that there is no core. */
  #fails(): boolean {
    const fails = this.#noCore !== null && this.#answered === '';
    if (fails) this.#answered = '-';
    return fails;
  }

  #lacking({ model, config, gpu }: Setup, locale: Locale): Problem | null {
    const own = locale.pick(words);
    if (model === '' && !config) {
      return { code: 'missing_field', message: own.noModel, path: 'model.id' };
    }
    if (cardOf(gpu).id === '') {
      return { code: 'missing_field', message: own.noCard, path: 'gpu.id' };
    }
    return null;
  }

  #problem(locale: Locale): Problem | null {
    const { problem, pending } = this.#session;
    if (this.#noCore) {
      const { why, message: detail } = this.#noCore;
      const message =
        why === 'failed' ? `${locale.pick(words).failed} ${detail}` : locale.pick(words)[why];
      return { code: `wasm_${why}`, message, path: '' };
    }
    if (problem?.code === 'not_here') return { ...problem, message: locale.pick(words).notHere };
    if (problem || pending === null) return problem;
    const message = locale.pick(words).notBuiltIn(pending);
    return { code: 'unknown_model', message, path: 'model.id' };
  }

  #tell(locale: Locale) {
    const error = this.#problem(locale);
    const { answer } = this.#session;
    const detail = error ? { error } : { request: answer?.request, report: answer?.report };
    const type = error ? 'ridgepoint:error' : 'ridgepoint:report';
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #draw(locale: Locale) {
    const show: Show = {
      locale,
      own: locale.pick(words),
      catalogue: this.#core?.catalogue ?? null,
      answer: this.#session.answer,
      problem: this.#problem(locale),
      inputs: this.#inputs,
      view: oneOf<Views>(views, this.getAttribute('view'), 'verdict'),
      theme: oneOf<Theme>(themes, this.getAttribute('theme'), 'auto'),
      readonly: this.readonly,
      site: this.getAttribute('site') ?? '',
      edits: this.#edits,
    };
    render(widget(show), this.#root);
    this.#say(show);
  }

  /** A polite live region: it speaks of what the reader changed, once the typing has stopped. */
  #say({ answer, problem, locale, own }: Show) {
    const requests = answer?.report.capacity.max_requests?.best ?? 0;
    const text = problem
      ? problem.message
      : answer?.report.verdict.serves
        ? `${locale.words.verdict.yes}. ${locale.whole(requests)} ${own.requests(requests, locale)}.`
        : locale.words.verdict.no;
    if (text === this.#spoken) return;
    this.#spoken = text;
    if (!this.#edited) return;
    clearTimeout(this.#saying);
    this.#saying = window.setTimeout(() => {
      const region = this.#root.querySelector('[role=status]');
      if (region) region.textContent = text;
    }, SAY_MS);
  }

  #edit(name: 'model' | 'gpu' | 'engine' | 'ctx' | 'concurrency', value: string) {
    this.#edited = true;
    this[name] = value;
  }

  readonly #edits: Edits = {
    model: (id) => {
      this.config = null;
      this.#edit('model', id);
    },
    card: (id, count) => this.#edit('gpu', cardText(id, count)),
    ctx: (tokens) => this.#edit('ctx', tokens),
    concurrency: (requests) => this.#edit('concurrency', requests),
    engine: (name) => {
      this.#left.set(engineOf(this.engine).name, { engine: this.engine, flags: this.flags });
      const back = this.#left.get(name);
      this.flags = back?.flags ?? '';
      this.#edit('engine', back?.engine ?? name);
    },
  };
}

for (const name of [...TEXTS, ...LOOKS]) {
  Object.defineProperty(RidgepointCalculator.prototype, name, {
    get(this: HTMLElement) {
      return this.getAttribute(name) ?? '';
    },
    set(this: HTMLElement, value: unknown) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else
        this.setAttribute(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    },
    enumerable: true,
    configurable: true,
  });
}
