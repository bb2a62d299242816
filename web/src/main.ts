import { html, render } from 'lit-html';
import { Combobox } from './combobox';
import { type Calculator, start } from './engine';
import { fieldOf } from './fields';
import { fromHash } from './hash';
import { markChanges } from './marks';
import { Announcer, focusField, recall, remember, reveal } from './page';
import { builtIn } from './request';
import { empty, evaluate, type Session } from './session';
import { addressFor, fetchProblem, fetchSource, indexIn, isWeightsFile } from './source';
import { example, type Fetched, flagsOf, hubOf, type Inputs, type Weights } from './state';
import { isKept, keepToken, originOf, setToken, tokenFor } from './token';
import type { Problem } from './types';
import { keepPage, onUpdate } from './update';
import { app } from './views/app';
import type { Actions, View } from './views/context';
import { spokenAnswer } from './views/verdict';
import './style/base.css';
import './style/inputs.css';
import './style/answer.css';

const LARGEST_FILE = 5_000_000;
const LARGEST_INDEX = 32_000_000;
const INDEX_NAME = 'model.safetensors.index.json';
const COPIED_MS = 2500;

const root = document.querySelector('#app') as HTMLElement;

/** Holds the state, and draws it again whenever something changed. */
class Page implements Actions {
  #inputs: Inputs;
  #session: Session = empty;
  #fetched: Fetched | null;
  #weights: Weights | null;
  #loading: string | null = null;
  #loadProblem: Problem | null = null;
  #abort: AbortController | null = null;
  #copied = '';
  readonly #cards = new Combobox(() => this.draw());
  readonly #announce = new Announcer();

  constructor(private readonly core: Calculator) {
    const { inputs, fetched, weights } = recall();
    this.#inputs = inputs;
    this.#fetched = fetched;
    this.#weights = weights;
    this.calculate();
    if (inputs.config !== '') reveal('config');
    window.addEventListener('hashchange', () => {
      const linked = fromHash(location.hash);
      if (linked) this.replace(linked);
    });
  }

  calculate() {
    this.#session = evaluate(this.core, this.#inputs, this.#fetched, this.#weights, this.#session);
    this.draw();
  }

  draw() {
    const hub = hubOf(this.#inputs);
    const view: View = {
      inputs: this.#inputs,
      session: this.#session,
      fetched: this.#fetched,
      weights: this.#weights,
      loading: this.#loading,
      loadProblem: this.#loadProblem,
      catalogue: this.core.catalogue,
      cards: this.#cards,
      token: { value: tokenFor(hub), kept: isKept(hub), origin: originOf(hub) },
      copied: this.#copied,
      actions: this,
    };
    render(app(view), root);
    markChanges(root);
    this.#announce.say(spokenAnswer(view));
  }

  replace(inputs: Inputs) {
    this.cancel();
    this.#loadProblem = null;
    this.#weights = null;
    this.#inputs = inputs;
    this.calculate();
    remember(this.#inputs, this.#fetched, this.#weights);
    if (inputs.config !== '') reveal('config');
  }

  set = (patch: Partial<Inputs>) => {
    const elsewhere = ['model', 'use', 'revision', 'hub'].some((field) => field in patch);
    if (elsewhere) this.cancel();
    if (elsewhere) this.#loadProblem = null;
    const before = this.#inputs;
    this.#inputs = { ...before, ...patch };
    // Files of weights belong to the model they were given with, or wait for one that can be read.
    // A browser may tell of one paste line by line, with the same text each time: no other model.
    const other = (['model', 'use', 'config'] as const).some(
      (field) => before[field] !== this.#inputs[field],
    );
    if (other && !this.#weightsWait()) this.#weights = null;
    remember(this.#inputs, this.#fetched, this.#weights);
    this.calculate();
  };

  setFlag = (name: string, value: string | null) => {
    const { [name]: _, ...others } = flagsOf(this.#inputs);
    const flags = value === null ? others : { ...flagsOf(this.#inputs), [name]: value };
    this.set({ args: { ...this.#inputs.args, [this.#inputs.engine]: flags } });
  };

  /** A flag by name, in the spellings people have at hand: `--name`, `--name=value`. */
  addFlag = (name: string, value: string) => {
    const [word = '', inline] = name.replace(/^--?/, '').split(/=(.*)/s);
    const flags = this.core.catalogue.engines.find(
      (one) => one.name === this.#inputs.engine,
    )?.flags;
    const known = flags?.find((flag) => flag.name === word || flag.aliases.includes(word));
    const given = value || inline || '';
    this.setFlag(known?.name ?? word, given || (known && known.type !== 'boolean' ? '' : 'true'));
    if (known && !given && known.type !== 'boolean') focusField(`flag-${known.name}`);
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

  #weightsWait() {
    if (this.#weights === null || this.#weights.alone) return false;
    const { problem, pending } = this.#session;
    return pending !== null || /^model\.(id|config)/.test(problem?.path ?? '');
  }

  useWeights = (weights: Weights | null) => {
    this.#loadProblem = null;
    this.#weights = weights;
    this.calculate();
    remember(this.#inputs, this.#fetched, this.#weights);
  };

  /** Of files of weights only the headers are read, however large they are. */
  readWeights = async (files: File[]) => {
    try {
      const { tensors } = await this.core.readCheckpoint(files);
      const [{ name }, ...others] = files as [File, ...File[]];
      const label = others.length > 0 ? `${name} and ${others.length} more` : name;
      this.useWeights({ name: label, tensors, alone: 'gguf' in tensors });
    } catch (error) {
      this.#loadProblem = { ...fetchProblem(error), path: 'file' };
      this.draw();
    }
  };

  readFile = async (file: File) => {
    if (isWeightsFile(file.name)) {
      await this.readWeights([file]);
      return;
    }
    if (file.size > (file.name.endsWith('index.json') ? LARGEST_INDEX : LARGEST_FILE)) {
      const message = `${file.name} is larger than 5 MB, which no config.json is. Choose the model’s config.json.`;
      this.#loadProblem = { code: 'too_large', message, path: 'file' };
      this.draw();
      return;
    }
    this.useConfig(await file.text(), file.name);
  };

  load = async () => {
    this.cancel();
    this.#loadProblem = null;
    if (this.#inputs.use !== 'id') this.set({ use: 'id' });
    const inputs = this.#inputs;
    if (inputs.model.trim() === '' || builtIn(inputs.model, this.core.catalogue)) {
      this.calculate();
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.#loading = addressFor(inputs) || inputs.model.trim();
    this.draw();
    try {
      this.#fetched = await fetchSource(inputs, tokenFor(hubOf(inputs)), abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#loadProblem = fetchProblem(error);
    }
    if (abort.signal.aborted) return;
    this.#loading = null;
    this.#abort = null;
    this.calculate();
    remember(this.#inputs, this.#fetched, this.#weights);
    if (this.#loadProblem) reveal(fieldOf(this.#loadProblem.path, false));
  };

  cancel = () => {
    this.#abort?.abort();
    this.#abort = null;
    if (this.#loading !== null) {
      this.#loading = null;
      this.draw();
    }
  };

  setToken = (token: string) => {
    setToken(hubOf(this.#inputs), token.trim());
    this.draw();
  };

  keepToken = (keep: boolean) => {
    keepToken(hubOf(this.#inputs), keep);
    this.draw();
  };

  goTo = focusField;

  copy = async (what: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      this.#copied = `Copied the ${what}.`;
    } catch {
      this.#copied = `The browser did not allow it. Select the ${what} and copy it.`;
    }
    this.draw();
    setTimeout(() => {
      this.#copied = '';
      this.draw();
    }, COPIED_MS);
  };

  reset = () => this.replace(example);
}

/** The config first: what is told of its weights is kept with it. */
async function readFiles(page: Page, files: File[]) {
  const weights = files.filter(({ name }) => isWeightsFile(name));
  const texts = files.filter(({ name }) => !isWeightsFile(name));
  const indexes = (file: File) => Number(file.name.endsWith('index.json'));
  for (const file of texts.sort((a, b) => indexes(a) - indexes(b))) await page.readFile(file);
  if (weights.length > 0) await page.readWeights(weights);
}

function acceptDrops(page: Page) {
  const holdsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const show = (over: boolean) => document.body.toggleAttribute('data-dragging', over);
  document.addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    show(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) show(false);
  });
  document.addEventListener('drop', (event) => {
    show(false);
    // The list is emptied once the event is over.
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void readFiles(page, files);
  });
}

/** Nothing is loaded anew while someone reads. */
function offerUpdates() {
  const place = document.body.appendChild(document.createElement('aside'));
  onUpdate((takeOver) => {
    render(
      html`<p class="update" role="status">
        A new version is ready.
        <button type="button" @click=${takeOver}>Load it</button>
      </p>`,
      place,
    );
  });
  keepPage();
}

try {
  const core = await start();
  root.replaceChildren();
  acceptDrops(new Page(core));
  offerUpdates();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  render(
    html`<div class="boot" role="alert">
      <p><b>The calculator did not load.</b> ${message}</p>
      <p>Check the connection and reload the page. It needs a browser with WebAssembly.</p>
    </div>`,
    root,
  );
}
