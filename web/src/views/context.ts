import type { nothing, TemplateResult } from 'lit-html';
import type { Combobox } from '../combobox';
import type { Locale } from '../locale';
import type { Planner, Question } from '../planner';
import type { Applied } from '../request';
import type { Session } from '../session';
import type { Fetched, Inputs, Place, RoomName, Weights } from '../state';
import type { Catalogue, Problem } from '../types';

/** What a view is opened as over the page. */
export type DialogName = 'math' | 'embed' | 'share';

/** A part of the answer that comes after it. */
export type SectionName = 'below';

/** A view that is loaded after the first answer. It keeps what only it needs to know. */
export interface Room {
  view(page: View): TemplateResult;
  /** What of it stands before the part of the page that it belongs to. */
  head?(page: View): TemplateResult | typeof nothing;
}

/** What a room is given when it is opened. */
export interface Host {
  planner: Planner;
  /** To be called when the room has something new to show. */
  redraw(): void;
}

/** All that the templates show, and all that they can ask for. */
export interface View {
  locale: Locale;
  inputs: Inputs;
  session: Session;
  /** Both setups and the view, as the link has them. */
  place: Place;
  /** The answer to the setup that is not at hand, where there are two. */
  other: Session | null;
  fetched: Fetched | null;
  /** What the files of the weights said, where the reader gave one. */
  weights: Weights | null;
  /** What is being fetched now. */
  loading: string | null;
  /** Why the last fetch failed; gone as soon as the model box changes. */
  loadProblem: Problem | null;
  /** What a paste was taken for, until the model box changes. */
  got: Got | null;
  catalogue: Catalogue;
  /** The core is on its way, and nothing is known yet of models and cards. */
  starting: boolean;
  planner: Planner;
  advice: Question<'advise'>;
  /** The whole report, with what the first answer leaves out. */
  whole: Question<'evaluate'>;
  cards: Combobox;
  models: Combobox;
  token: { value: string; kept: boolean; origin: string };
  theme: Theme;
  recent: { hash: string; label: string }[];
  /** What was just done, and how to take it back. */
  notice: Notice | null;
  /** Loads the newer version, where one lies ready. */
  takeOver: (() => void) | null;
  dialog: DialogName | null;
  /** The first answer has been painted: what is folded away may be drawn too. */
  settled: boolean;
  /** Verdict and bar are drawn alone; flags and what is below the bar stay as they are and follow at once. */
  answerFirst: boolean;
  /** What of the dialog is to be gone to first: a term of the explanation. */
  aim: { term: string } | null;
  room(name: RoomName | DialogName | SectionName): Room | 'loading' | 'failed';
  actions: Actions;
}

export interface Got {
  kind: 'command' | 'log' | 'nothing';
  engine: string;
  /** What is said of it, and of which flag. */
  notes: { flag: string; note: string }[];
}

export interface Notice {
  text: string;
  undo: (() => void) | null;
}

export const themes = ['auto', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export interface Actions {
  set(patch: Partial<Inputs>): void;
  setFlag(name: string, value: string | null): void;
  addFlag(name: string, value: string): void;
  useConfig(text: string, name: string): void;
  /** Whatever was pasted or dropped as text: a config, a command or a log. */
  useText(text: string, name: string): void;
  readFile(file: File): void;
  useWeights(weights: Weights | null): void;
  load(): void;
  cancel(): void;
  setToken(token: string): void;
  keepToken(keep: boolean): void;
  goTo(field: string): void;
  copy(what: string, text: string): void;
  /** The link to what is shown now. */
  link(): Promise<string>;
  reset(): void;
  /** Takes over what a request says besides its model; `what` names the change, with an undo. */
  apply(request: Applied, what: string): void;
  /** Replaces the setups themselves, with an undo. */
  replace(sides: [Inputs, Inputs | null], active: 0 | 1, what: string): void;
  /** Which of two setups the inputs show. */
  activate(side: 0 | 1): void;
  open(room: RoomName): void;
  /** Sets the view of the load, as that view writes it. */
  setLoad(load: string): void;
  openDialog(name: DialogName | null, aim?: string): void;
  setTheme(theme: Theme): void;
  setLang(lang: Locale['lang']): void;
  clearRecent(): void;
  redraw(): void;
  dismiss(): void;
}

/** The problem that stands against the inputs now. */
export const problemOf = ({ loadProblem, session }: View) => loadProblem ?? session.problem;
