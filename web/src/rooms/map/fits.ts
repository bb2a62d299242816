import type { ScanCell, ScanFailure } from 'ridgepoint';
import type { Fit } from '../../charts/heat-grid';

/** Less to spare than this share of the load is tight. */
const SPARE = 0.1;

/** How a load of `asked` requests stands in a setup. */
export function fitOf(cell: ScanCell | ScanFailure, asked: number): Fit {
  if (cell.error) return 'void';
  if (!cell.serves || cell.max_requests.best < 1) return 'never';
  const { low, best } = cell.max_requests;
  if (best < asked) return 'short';
  return low < asked || best < asked * (1 + SPARE) ? 'tight' : 'ample';
}
