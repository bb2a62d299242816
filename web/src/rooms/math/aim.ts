// Which step the drawer is to open at. Other views set it before they open the drawer.

let aimed = '';

/** The part of the memory bar, and the step that works it out. */
const steps: Record<string, string> = {
  weights: 'weights',
  activation: 'activation',
  other: 'non_torch',
  graphs: 'cuda_graphs_charged',
  'graphs-outside': 'cuda_graphs',
  kv: 'kv_pool',
  'kv-free': 'kv_pool',
  untouched: 'requested',
};

/** The term of the explanation behind a part of the memory bar; nothing where there is none. */
export const termOfPart = (part: string): string | undefined => steps[part];

/** The drawer, when it is drawn next, goes to this term: a name of the explanation. */
export function aimAt(term: string): void {
  aimed = term;
}

export function takeAim(): string {
  const term = aimed;
  aimed = '';
  return term;
}
