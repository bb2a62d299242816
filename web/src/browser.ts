import { fromHash, placeToHash } from './hash';
import {
  example,
  type Fetched,
  fetchKey,
  type Inputs,
  modelKey,
  type Place,
  type Weights,
} from './state';

// What the page does to the browser around it: the hash and the history, the tab's memory, focus,
// and what a screen reader is told.

const KEY = 'ridgepoint.tab';
const WRITE_MS = 200;
/** Changes closer together than this are one step of the history. */
const STEP_MS = 1500;
const SAY_MS = 700;

/** One setup, and what the tab holds for it besides. */
export interface Held {
  inputs: Inputs;
  weights: Weights | null;
}

interface Kept {
  /** Configs too long for a link, by the side they belong to. */
  configs?: string[];
  fetched?: Fetched[];
  weights?: Record<string, Weights>;
}

function tab(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Kept;
  } catch {
    return {};
  }
}

export const startPlace = (): Place => ({
  sides: [{ ...example }, null],
  active: 0,
  room: 'answer',
});

/** The place a link names, with what only this tab knows of it. */
export async function placeOf(hash: string): Promise<Place | null> {
  const place = await fromHash(hash);
  const { configs = [] } = tab();
  place?.sides.forEach((inputs, side) => {
    if (inputs?.use === 'config' && inputs.config === '') inputs.config = configs[side] ?? '';
  });
  return place;
}

/** Models fetched earlier in this tab: a reload asks for nothing. */
export const keptFetched = (): Fetched[] => {
  const { fetched } = tab();
  return Array.isArray(fetched) ? fetched : [];
};

export const keptWeights = (inputs: Inputs): Weights | null =>
  tab().weights?.[modelKey(inputs)] ?? null;

let writing = 0;
let steppedAt = 0;
let written = '';
let keptText = '';

/** Keeps the place over a reload: in the hash, and what is too long for it in the tab's storage. */
export function remember(
  place: Place,
  held: (Held | null)[],
  fetched: Map<string, Fetched>,
  after: (hash: string) => void,
): void {
  clearTimeout(writing);
  // Browsers limit how often a page may write its address.
  writing = window.setTimeout(async () => {
    const hash = await placeToHash(place);
    const before = written || location.hash;
    if (hash === before) return;
    const step = Date.now() - steppedAt > STEP_MS;
    if (step) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    steppedAt = Date.now();
    written = hash;
    after(hash);
  }, WRITE_MS);
  const kept: Kept = {
    configs: held.map((side) => side?.inputs.config ?? ''),
    fetched: held.flatMap((side) => {
      const model = side && fetched.get(fetchKey(side.inputs));
      return model ? [model] : [];
    }),
    weights: Object.fromEntries(
      held.flatMap((side) => (side?.weights ? [[modelKey(side.inputs), side.weights]] : [])),
    ),
  };
  const text = JSON.stringify(kept);
  if (text === keptText) return;
  keptText = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Full or switched off: a reload then asks for the config again.
  }
}

/** Calls back when the reader goes back, forward, or to another link of this page. */
export function onTravel(moved: (hash: string) => void): void {
  window.addEventListener('popstate', () => {
    clearTimeout(writing);
    written = location.hash;
    moved(location.hash);
  });
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
  // What is no input takes the focus all the same, so that the next Tab goes on from there.
  if (input && input.tabIndex < 0 && !input.hasAttribute('tabindex')) input.tabIndex = -1;
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
