import type { Estimate } from 'ridgepoint';
import type { Fit } from '../../charts/heat-grid';

/** Less to spare than this share of the load is tight. */
const SPARE = 0.1;

/** What is known of a setup: what it holds, or why it is none. */
export interface Held {
  serves?: boolean;
  max_requests?: Pick<Estimate, 'low' | 'best'>;
  error?: unknown;
}

/** How a load of `asked` requests stands in a setup. */
export function fitOf({ serves, max_requests, error }: Held, asked: number): Fit {
  if (error || !max_requests) return 'void';
  const { low, best } = max_requests;
  if (!serves || best < 1) return 'never';
  if (best < asked) return 'short';
  return low < asked || best < asked * (1 + SPARE) ? 'tight' : 'ample';
}
