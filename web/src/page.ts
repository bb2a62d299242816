import { render } from 'lit-html';
import {
  Announcer,
  focusField,
  type Held,
  keptFetched,
  keptWeights,
  onTravel,
  placeOf,
  remember,
  reveal,
  startPlace,
} from './browser';
import { Combobox } from './combobox';
import type { Calculator } from './engine';
import { fieldOf } from './fields';
import { placeToHash } from './hash';
import { type Lang, type Locale, loadLocale, loadWholeLocale } from './locale';
import { markChanges } from './marks';
import { afterPaint } from './painted';
import { kindOf } from './paste';
import { type Planner, Question } from './planner';
import { keepLang } from './reader-language';
import { commandQuery, logQuery, measuredSetup } from './reading';
import { addRecent, clearRecents, recents } from './recent';
import { type Applied, builtIn, withRequest } from './request';
import { Rooms } from './rooms';
import { empty, evaluate, type Session } from './session';
import { addressFor, fetchProblem, fetchSource, indexIn, isWeightsFile } from './source';
import {
  example,
  type Fetched,
  fetchKey,
  flagsOf,
  hubOf,
  type Inputs,
  type Place,
  type RoomName,
  type Weights,
} from './state';
import { keepTheme, keptTheme } from './theme';
import { isKept, keepToken, originOf, setToken, tokenFor } from './token';
import type { Problem } from './types';
import { onUpdate } from './update';
import { app } from './views/app';
import type { Actions, DialogName, Got, Notice, Theme, View } from './views/context';
import { setupLine, spokenAnswer } from './views/verdict';

const LARGEST_FILE = 5_000_000;
const LARGEST_INDEX = 32_000_000;
const LARGEST_LOG = 96 * 2 ** 20;
const INDEX_NAME = 'model.safetensors.index.json';
const NOTICE_MS = 8000;

const isText = (name: string) => /\.(?:log|txt|ya?ml|sh)$/i.test(name);

interface Side extends Held {
  session: Session;
}

/** Holds the state, and draws it again whenever something changed. */
export class Page implements Actions {
  #sides: [Side, Side | null];
  #active: 0 | 1 = 0;
  #room: RoomName = 'answer';
  #under = '';
  #dialog: DialogName | null = null;
  #aim: View['aim'] = null;
  readonly #fetched = new Map<string, Fetched>();
  #loading: string | null = null;
  #loadProblem: Problem | null = null;
  #abort: AbortController | null = null;
  #got: Got | null = null;
  #notice: Notice | null = null;
  #noticeTimer = 0;
  #takeOver: (() => void) | null = null;
  #recent = recents();
  #theme = keptTheme();
  #drawn = false;
  #settled = false;
  #holdRest = () => {};
  #drawer: HTMLDialogElement | null = null;
  readonly #cards = new Combobox(() => this.redraw());
  readonly #models = new Combobox(() => this.redraw());
  readonly #advice: Question<'advise'>;
  readonly #whole: Question<'evaluate'>;
  readonly #announce = new Announcer();
  readonly #rooms: Rooms;

  constructor(
    private readonly root: HTMLElement,
    private readonly core: Calculator,
    private readonly planner: Planner,
    private locale: Locale,
    place: Place,
  ) {
    this.#rooms = new Rooms({ planner, redraw: this.redraw });
    this.#advice = new Question(planner, 'advise', this.redraw);
    this.#whole = new Question(planner, 'evaluate', this.redraw);
    core.complete(planner, () => this.calculate());
    for (const model of keptFetched()) this.#fetched.set(model.key, model);
    this.#sides = [this.#sideOf(place.sides[0]), null];
    this.#take(place);
    onUpdate((takeOver) => {
      this.#takeOver = takeOver;
      this.redraw();
    });
    onTravel(async (hash) => {
      const there = hash === '' ? startPlace() : await placeOf(hash);
      if (!there) return;
      this.cancel();
      this.#loadProblem = null;
      this.#got = null;
      this.#take(there);
    });
  }

  #sideOf(inputs: Inputs): Side {
    return { inputs, weights: keptWeights(inputs), session: empty };
  }

  #take({ sides, active, room, load = '' }: Place) {
    this.#sides = [this.#sideOf(sides[0]), sides[1] ? this.#sideOf(sides[1]) : null];
    this.#active = sides[1] ? active : 0;
    this.#room = room;
    this.#under = load;
    this.calculate();
    if (this.#side.inputs.config !== '') reveal('config');
  }

  get #side(): Side {
    return this.#sides[this.#active] ?? this.#sides[0];
  }

  get #place(): Place {
    const [left, right] = this.#sides;
    return {
      sides: [left.inputs, right?.inputs ?? null],
      active: this.#active,
      room: this.#room,
      load: this.#under,
    };
  }

  calculate() {
    this.#evaluate();
    this.redraw();
  }

  /** While someone types, the frame that shows the answer has nothing else to draw. */
  #calculateFirst() {
    this.#evaluate();
    const { problem, pending, waiting } = this.#side.session;
    // What is wrong is said at the field too, which may be one of the flags.
    if (problem || pending !== null || waiting) {
      this.redraw();
      return;
    }
    this.#draw(true);
    this.#holdRest = afterPaint(this.redraw);
  }

  #evaluate() {
    for (const side of this.#sides) {
      if (!side) continue;
      // What is built in, and so what is asked, is known with the core.
      if (this.core.waiting) {
        side.session = { ...side.session, waiting: true };
        continue;
      }
      const fetched = this.#fetched.get(fetchKey(side.inputs)) ?? null;
      side.session = evaluate(
        this.core,
        side.inputs,
        fetched,
        side.weights,
        side.session,
        this.locale.words,
      );
    }
  }

  redraw = () => this.#draw(false);

  #draw(answerFirst: boolean) {
    this.#holdRest();
    const { inputs, session, weights } = this.#side;
    const hub = hubOf(inputs);
    const view: View = {
      locale: this.locale,
      inputs,
      session,
      place: this.#place,
      other: this.#sides[this.#active === 0 ? 1 : 0]?.session ?? null,
      fetched: this.#fetched.get(fetchKey(inputs)) ?? null,
      weights,
      loading: this.#loading,
      loadProblem: this.#loadProblem,
      got: this.#got,
      catalogue: this.core.catalogue,
      starting: this.core.waiting,
      planner: this.planner,
      advice: this.#advice,
      whole: this.#whole,
      cards: this.#cards,
      models: this.#models,
      token: { value: tokenFor(hub), kept: isKept(hub), origin: originOf(hub) },
      theme: this.#theme,
      recent: this.#recent,
      notice: this.#notice,
      takeOver: this.#takeOver,
      dialog: this.#dialog,
      settled: this.#settled,
      answerFirst,
      aim: this.#aim,
      room: (name) => (this.#settled ? this.#rooms.get(name) : 'loading'),
      actions: this,
    };
    render(app(view), this.root);
    if (!this.#drawn && session.answer) {
      this.#drawn = true;
      performance.mark('ridgepoint:answer');
    }
    this.#showDialog();
    markChanges(this.root);
    if (!view.starting) this.#announce.say(spokenAnswer(view));
  }

  #showDialog() {
    this.#drawer ??= this.root.querySelector('dialog');
    const dialog = this.#drawer;
    if (!dialog || dialog.open === (this.#dialog !== null)) return;
    if (this.#dialog) dialog.showModal();
    else dialog.close();
  }

  #remember() {
    remember(this.#place, this.#sides, this.#fetched, (hash) => {
      const { answer, problem, pending } = this.#side.session;
      if (!answer || problem || pending !== null) return;
      this.#recent = addRecent({ hash, label: setupLine(this.locale, answer) });
      this.redraw();
    });
  }

  #say(text: string, undo: (() => void) | null = null) {
    clearTimeout(this.#noticeTimer);
    this.#notice = { text, undo };
    this.redraw();
    if (!undo) this.#noticeTimer = window.setTimeout(this.dismiss, NOTICE_MS);
  }

  dismiss = () => {
    this.#notice = null;
    this.redraw();
  };

  set = (patch: Partial<Inputs>) => {
    const elsewhere = ['model', 'use', 'revision', 'hub'].some((field) => field in patch);
    if (elsewhere) {
      this.cancel();
      this.#loadProblem = null;
      this.#got = null;
    }
    const side = this.#side;
    const before = side.inputs;
    side.inputs = { ...before, ...patch };
    // Files of weights belong to the model they were given with, or wait for one that can be read.
    // A browser may tell of one paste line by line, with the same text each time: no other model.
    const other = (['model', 'use', 'config'] as const).some(
      (field) => before[field] !== side.inputs[field],
    );
    if (other && !this.#weightsWait()) side.weights = null;
    this.#remember();
    this.#calculateFirst();
  };

  #weightsWait() {
    const { weights, session } = this.#side;
    if (weights === null || weights.alone) return false;
    const { problem, pending } = session;
    return pending !== null || /^model\.(id|config)/.test(problem?.path ?? '');
  }

  setFlag = (name: string, value: string | null) => {
    const { inputs } = this.#side;
    const { [name]: _, ...others } = flagsOf(inputs);
    const flags = value === null ? others : { ...flagsOf(inputs), [name]: value };
    this.set({ args: { ...inputs.args, [inputs.engine]: flags } });
  };

  /** A flag by name, in the spellings people have at hand: `--name`, `--name=value`. */
  addFlag = (name: string, value: string) => {
    const [word = '', inline] = name.replace(/^--?/, '').split(/=(.*)/s);
    const { engine } = this.#side.inputs;
    const flags = this.core.catalogue.engines.find((one) => one.name === engine)?.flags;
    const known = flags?.find((flag) => flag.name === word || flag.aliases.includes(word));
    const given = value || inline || '';
    this.setFlag(known?.name ?? word, given || (known && known.type !== 'boolean' ? '' : 'true'));
    if (!known || given || known.type === 'boolean') return;
    this.redraw();
    focusField(`flag-${known.name}`);
  };

  useConfig = (config: string, configName: string) => {
    const index = indexIn(config);
    if (index) {
      this.useWeights({ name: configName || INDEX_NAME, tensors: index, alone: false });
      return;
    }
    this.set({ config, configName, use: config.trim() === '' ? 'id' : 'config' });
    reveal('config');
  };

  useText = (text: string, name: string) => {
    const kind = kindOf(text);
    if (kind === 'config') this.useConfig(text, name);
    else if (kind === 'name') this.set({ model: text.trim(), use: 'id' });
    else if (kind === 'command') void this.#useCommand(text);
    else void this.#useLog(text);
  };

  async #useCommand(text: string) {
    const known = this.#side.session.answer?.request;
    const told = await this.planner.ask('readCommand', commandQuery(text, known));
    if ('error' in told) {
      // A log may look like a command, never the other way about.
      if (text.trim().includes('\n')) await this.#useLog(text);
      else this.#gotNothing(told.error as Problem);
      return;
    }
    const { request, notes } = told;
    this.#takeRequest(request);
    const leftOut = told.flags
      .filter(({ use }) => use === 'unknown' || use === 'unmodelled')
      .map(({ flag, note }) => ({ flag, note }));
    const others = notes.map((note) => ({ flag: '', note }));
    this.#got = { kind: 'command', engine: request.engine.name, notes: [...leftOut, ...others] };
    this.redraw();
  }

  async #useLog(log: string | Uint8Array) {
    const known = this.#side.session.answer?.request;
    const told = await this.planner.readLog(log, logQuery(known));
    if ('error' in told || told.facts.length === 0) {
      this.#gotNothing('error' in told ? (told.error as Problem) : null);
      return;
    }
    this.#takeRequest(measuredSetup(told, known));
    const notes = [...told.causes, ...told.notes].map((note) => ({ flag: '', note }));
    this.#got = { kind: 'log', engine: told.engine, notes };
    this.redraw();
  }

  #told({ code, message }: Problem): string {
    return code === 'planner_unavailable' ? this.locale.words.app.plannerFailed : message;
  }

  #gotNothing(problem: Problem | null) {
    this.#got = {
      kind: 'nothing',
      engine: '',
      notes: problem ? [{ flag: '', note: this.#told(problem) }] : [],
    };
    this.redraw();
  }

  #takeRequest(request: Applied, sameModel = false) {
    this.#replaceSide(withRequest(this.#side.inputs, request, sameModel));
    // The length asked about before may be longer than this setup allows at all.
    const { answer } = this.#side.session;
    const longest = answer?.extras.engine?.max_model_len;
    if (answer?.report.verdict.limit === 'context' && longest) {
      this.#replaceSide({ ...this.#side.inputs, context: String(longest) });
    }
  }

  #replaceSide(inputs: Inputs) {
    const side = this.#side;
    // Files of weights are of one model in one format.
    const same = (['model', 'use', 'quant'] as const).every(
      (field) => side.inputs[field] === inputs[field],
    );
    const next: Side = { inputs, weights: same ? side.weights : null, session: side.session };
    this.#sides = this.#active === 0 ? [next, this.#sides[1]] : [this.#sides[0], next];
    this.#remember();
    this.calculate();
  }

  /** Shows what was changed and offers the way back to the setups as they were. */
  #undoable(what: string, change: () => void) {
    const [sides, active] = [this.#sides.map((side) => side && { ...side }), this.#active];
    change();
    this.#say(this.locale.words.app.applied(what), () => {
      this.#sides = sides as [Side, Side | null];
      this.#active = active;
      this.#remember();
      this.calculate();
      this.#say(this.locale.words.app.undone);
    });
  }

  apply = (request: Applied, what: string) => {
    this.#undoable(what, () => this.#takeRequest(request, this.#isSameModel(request)));
  };

  /** An answer of the core holds the model as it was asked: by id, config or header. */
  #isSameModel({ model }: Applied) {
    const asked = this.#side.session.answer?.request.model;
    return !model?.id || model.id === asked?.id || Boolean(model.config);
  }

  replace = (sides: [Inputs, Inputs | null], active: 0 | 1, what: string) => {
    this.#undoable(what, () => {
      const held = this.#sides;
      const side = (inputs: Inputs): Side => {
        const from = held.find((one) => one?.inputs.model === inputs.model);
        return { inputs, weights: from?.weights ?? null, session: empty };
      };
      this.#sides = [side(sides[0]), sides[1] ? side(sides[1]) : null];
      this.#active = sides[1] ? active : 0;
      this.#remember();
      this.calculate();
    });
  };

  activate = (side: 0 | 1) => {
    this.cancel();
    this.#loadProblem = null;
    this.#got = null;
    this.#active = this.#sides[side] ? side : 0;
    this.#remember();
    this.redraw();
  };

  open = (room: RoomName) => {
    this.#room = room;
    this.#remember();
    this.redraw();
  };

  setLoad = (load: string) => {
    this.#under = load;
    this.#remember();
    this.redraw();
  };

  openDialog = (name: DialogName | null, term = '') => {
    this.#dialog = name;
    this.#aim = term ? { term } : null;
    this.redraw();
  };

  setTheme = (theme: Theme) => {
    this.#theme = theme;
    keepTheme(theme);
    this.redraw();
  };

  setLang = async (lang: Lang) => {
    keepLang(lang);
    this.locale = await loadLocale(lang);
    document.documentElement.lang = lang;
    this.calculate();
    await this.speakWholly();
  };

  /** Lets the rest be loaded, once the first answer has been painted. */
  settle = () => {
    this.#settled = true;
    this.redraw();
  };

  /** English needs nothing more; the other languages have the core's sentences still to come. */
  speakWholly = async () => {
    const { lang } = this.locale;
    if (lang === 'en') return;
    const whole = await loadWholeLocale(lang);
    if (this.locale.lang !== lang) return;
    this.locale = whole;
    this.redraw();
  };

  clearRecent = () => {
    this.#recent = clearRecents();
    this.redraw();
  };

  useWeights = (weights: Weights | null) => {
    this.#loadProblem = null;
    this.#side.weights = weights;
    this.calculate();
    this.#remember();
  };

  /** Of files of weights only the headers are read, however large they are. */
  readWeights = async (files: File[]) => {
    try {
      const { tensors } = await this.planner.readCheckpoint(files);
      const [{ name }, ...others] = files as [File, ...File[]];
      const { more } = this.locale.words.model;
      const label = others.length > 0 ? more(name, others.length) : name;
      this.useWeights({ name: label, tensors, alone: 'gguf' in tensors });
    } catch (error) {
      this.#loadProblem = { ...fetchProblem(error), path: 'file' };
      this.redraw();
    }
  };

  readFile = async (file: File) => {
    if (isWeightsFile(file.name)) {
      await this.readWeights([file]);
      return;
    }
    const log = isText(file.name);
    const largest = log
      ? LARGEST_LOG
      : file.name.endsWith('index.json')
        ? LARGEST_INDEX
        : LARGEST_FILE;
    if (file.size > largest) {
      const message = this.locale.words.model.tooLarge(file.name);
      this.#loadProblem = { code: 'too_large', message, path: 'file' };
      this.redraw();
      return;
    }
    // A long log goes to the worker as it is.
    if (log && file.size > LARGEST_FILE)
      await this.#useLog(new Uint8Array(await file.arrayBuffer()));
    else if (log) this.useText(await file.text(), file.name);
    else this.useConfig(await file.text(), file.name);
  };

  load = async () => {
    this.cancel();
    this.#loadProblem = null;
    if (this.#side.inputs.use !== 'id') this.set({ use: 'id' });
    const { inputs } = this.#side;
    const { waiting, catalogue } = this.core;
    if (waiting || inputs.model.trim() === '' || builtIn(inputs.model, catalogue)) {
      this.calculate();
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.#loading = addressFor(inputs) || inputs.model.trim();
    this.redraw();
    try {
      const fetched = await fetchSource(inputs, tokenFor(hubOf(inputs)), abort.signal);
      this.#fetched.set(fetched.key, fetched);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#loadProblem = fetchProblem(error);
    }
    if (abort.signal.aborted) return;
    this.#loading = null;
    this.calculate();
    this.#remember();
    if (this.#loadProblem) reveal(fieldOf(this.#loadProblem.path, false));
  };

  cancel = () => {
    this.#abort?.abort();
    this.#abort = null;
    if (this.#loading !== null) {
      this.#loading = null;
      this.redraw();
    }
  };

  setToken = (token: string) => {
    setToken(hubOf(this.#side.inputs), token.trim());
    this.redraw();
  };

  keepToken = (keep: boolean) => {
    keepToken(hubOf(this.#side.inputs), keep);
    this.redraw();
  };

  goTo = focusField;

  copy = async (what: string, text: string) => {
    const { copied, notCopied } = this.locale.words.app;
    try {
      await navigator.clipboard.writeText(text);
      this.#say(copied(what));
    } catch {
      this.#say(notCopied(what));
    }
  };

  /** The link to what is shown now, with everything that fits into it. */
  link = async () => {
    const url = new URL(location.href);
    url.hash = await placeToHash(this.#place);
    return url.href;
  };

  reset = () => {
    this.replace([{ ...example }, null], 0, this.locale.words.app.reset);
  };
}
