import type { Baseline } from './baselines';
import type { Followed, Start } from './compare';
import type { Term } from './rows';

// Errors of many starts as a few figures. Below ten starts none is claimed.

export const FEWEST = 10;

export interface Summary {
  starts: number;
  median: number | null;
  nineInTen: number | null;
  held: number | null;
}

export function quantile(values: number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

const enough = (values: unknown[]) => values.length >= FEWEST;

/** A start that the engine refused has no figures of a start. */
const started = (starts: Start[]) => starts.filter(({ row }) => row.outcome !== 'refused');

export function summary(starts: Start[], term: Term): Summary {
  const seen = started(starts).flatMap((start) => start.terms[term] ?? []);
  if (!enough(seen)) return { starts: seen.length, median: null, nineInTen: null, held: null };
  const errors = seen.map(({ error }) => Math.abs(error));
  return {
    starts: seen.length,
    median: quantile(errors, 0.5),
    nineInTen: quantile(errors, 0.9),
    held: seen.filter((one) => one.held).length / seen.length,
  };
}

/** The same of another calculator, on the starts of which it says anything. */
export function otherSummary(starts: Start[], whose: Baseline, term: Term): Omit<Summary, 'held'> {
  const errors = started(starts).flatMap(({ row, others }) => {
    const [said, value] = [row.said[term], others[whose][term]];
    return said && value !== undefined ? [Math.abs(value / said - 1)] : [];
  });
  if (!enough(errors)) return { starts: errors.length, median: null, nineInTen: null };
  return {
    starts: errors.length,
    median: quantile(errors, 0.5),
    nineInTen: quantile(errors, 0.9),
  };
}

/** How often what follows from a log's own pool was what the log said. */
export function follows(followed: Followed[]): { term: string; starts: number; exact: number }[] {
  const names = [...new Set(followed.flatMap((one) => Object.keys(one)))];
  return names.map((term) => {
    const seen = followed.filter((one) => one[term] !== undefined);
    return { term, starts: seen.length, exact: seen.filter((one) => one[term]).length };
  });
}

/** Starts that the engine refused, and of how many the verdict says so. */
export function refusals(starts: Start[]): { refused: number; told: number } {
  const refused = starts.filter(({ row }) => row.outcome === 'refused');
  return { refused: refused.length, told: refused.filter(({ serves }) => !serves).length };
}
