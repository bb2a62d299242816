import { configFits, fromHash, toHash } from './hash';
import { example, type Fetched, type Inputs, modelKey, type Weights } from './state';

// What the page does to the browser around it: the hash, the tab's memory, focus, and what a screen
// reader is told.

const KEY = 'ridgepoint.tab';
const WRITE_MS = 200;
const SAY_MS = 700;

interface Kept {
  config?: string;
  configName?: string;
  fetched?: Fetched | null;
  weights?: Weights | null;
  weightsOf?: string;
}

function tab(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

/** The inputs to open with, and a model fetched earlier in this tab: a reload asks for nothing. */
export function recall(): { inputs: Inputs; fetched: Fetched | null; weights: Weights | null } {
  const kept = tab();
  const inputs = fromHash(location.hash) ?? { ...example };
  if (inputs.use === 'config' && inputs.config === '' && kept.config) {
    inputs.config = kept.config;
    inputs.configName = kept.configName ?? '';
  }
  const weights = kept.weightsOf === modelKey(inputs) ? kept.weights : null;
  return { inputs, fetched: kept.fetched ?? null, weights: weights ?? null };
}

let writing = 0;

/** Keeps the inputs over a reload: in the hash, and what is too long for it in the tab's storage. */
export function remember(inputs: Inputs, fetched: Fetched | null, weights: Weights | null): void {
  clearTimeout(writing);
  // Browsers limit how often a page may write its address.
  writing = window.setTimeout(() => history.replaceState(null, '', toHash(inputs)), WRITE_MS);
  const long = inputs.config && !configFits(inputs.config);
  const kept: Kept = {
    fetched,
    weights,
    weightsOf: modelKey(inputs),
    ...(long ? { config: inputs.config, configName: inputs.configName } : {}),
  };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Full or switched off: a reload then asks for the config again.
  }
}

/** Opens whatever is folded around an input. Folding it again is left to the reader. */
export function reveal(field: string): HTMLElement | null {
  const input = document.getElementById(field);
  for (let at = input?.parentElement; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
  return input;
}

export function focusField(field: string): void {
  const input = reveal(field);
  input?.focus();
  input?.scrollIntoView({ block: 'center' });
}

/** A polite live region that speaks once the typing has stopped, and never the same thing twice. */
export class Announcer {
  readonly #region = document.body.appendChild(document.createElement('div'));
  #timer = 0;
  #last: string | null = null;

  constructor() {
    this.#region.className = 'sr';
    this.#region.setAttribute('role', 'status');
  }

  say(text: string): void {
    if (text === this.#last) return;
    const first = this.#last === null;
    this.#last = text;
    clearTimeout(this.#timer);
    // The answer the page opens with is there to be read; only changes are announced.
    if (first) return;
    this.#timer = window.setTimeout(() => {
      this.#region.textContent = text;
    }, SAY_MS);
  }
}
