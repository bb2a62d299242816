import type { Combobox } from '../combobox';
import type { Session } from '../session';
import type { Fetched, Inputs, Weights } from '../state';
import type { Catalogue, Problem } from '../types';

/** All that the templates show, and all that they can ask for. */
export interface View {
  inputs: Inputs;
  session: Session;
  fetched: Fetched | null;
  /** What the files of the weights said, where the reader gave one. */
  weights: Weights | null;
  /** What is being fetched now. */
  loading: string | null;
  /** Why the last fetch failed; gone as soon as the model box changes. */
  loadProblem: Problem | null;
  catalogue: Catalogue;
  cards: Combobox;
  token: { value: string; kept: boolean; origin: string };
  /** What a copy button reports back. */
  copied: string;
  actions: Actions;
}

export interface Actions {
  set(patch: Partial<Inputs>): void;
  setFlag(name: string, value: string | null): void;
  addFlag(name: string, value: string): void;
  useConfig(text: string, name: string): void;
  readFile(file: File): void;
  useWeights(weights: Weights | null): void;
  load(): void;
  cancel(): void;
  setToken(token: string): void;
  keepToken(keep: boolean): void;
  goTo(field: string): void;
  copy(what: string, text: string): void;
  reset(): void;
}

/** The problem that stands against the inputs now. */
export const problemOf = ({ loadProblem, session }: View) => loadProblem ?? session.problem;
