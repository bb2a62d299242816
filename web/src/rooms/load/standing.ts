import type { Distribution, SimulationAnswer, Slo } from 'ridgepoint';

// Whether a load keeps to its goal, and how surely.

export type Standing = 'meets' | 'tight' | 'misses';

const shares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

/** The value that the asked share of requests keeps to, where the answer has it. */
function keptBy(times: Distribution, percentile: number): number | null {
  const found = Object.entries(shares).find(([, share]) => Math.abs(share - percentile) < 1e-9);
  return found ? times[found[0] as keyof typeof shares] : null;
}

/** `tight`: at the upper end of its range it would miss the goal. Null without a goal. */
export function standingOf(told: SimulationAnswer, slo: Slo | undefined): Standing | null {
  if (!told.goodput || !slo) return null;
  if (!told.goodput.meets) return 'misses';
  const { latency, bands } = told;
  const share = slo.percentile ?? 0.99;
  const over = (times: Distribution, factor: number, goal: number | undefined) => {
    const kept = keptBy(times, share);
    return goal !== undefined && kept !== null && kept * factor > goal;
  };
  const some =
    over(latency.ttft_s, bands.ttft[1], slo.ttft_s) ||
    over(latency.tpot_s, bands.tpot[1], slo.tpot_s);
  return some ? 'tight' : 'meets';
}
