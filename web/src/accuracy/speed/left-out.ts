// Why rows are left out, in a few words each; rows that contradict themselves have a sentence of
// their own.

const kinds: [RegExp, string][] = [
  [/^not simulated: does_not_serve/, 'memory'],
  [/^not simulated: bad_parallelism/, 'layout'],
  [/^not simulated: speed_unknown/, 'rates'],
  [/^not simulated/, 'refused'],
  [/^tier /, 'tier'],
  [/^no config of /, 'config'],
  [/^the engine .* is not modelled/, 'engine'],
  [/^the card .* is not known/, 'card'],
  [/^weights as /, 'weights'],
  [/^(?:lengths are|neither rate)/, 'load'],
  [/^no figure/, 'figure'],
];

export const OWN = 'contradicts';

export const kindOfReason = (reason: string) =>
  kinds.find(([words]) => words.test(reason))?.[1] ?? OWN;

export interface Reason {
  kind: string;
  count: number;
  /** The sentences of the rows that have one. */
  own: { text: string; count: number }[];
}

export function reasonsOf(leftOut: Record<string, number>): Reason[] {
  const found = new Map<string, Reason>();
  for (const [text, count] of Object.entries(leftOut)) {
    const kind = kindOfReason(text);
    const reason = found.get(kind) ?? { kind, count: 0, own: [] };
    reason.count += count;
    if (kind === OWN) reason.own.push({ text, count });
    found.set(kind, reason);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}
