// Which step of the explanation works out a part of the memory bar.

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
