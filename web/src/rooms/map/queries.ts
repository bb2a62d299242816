import type { Request as Contract, ScanQuery } from 'ridgepoint';
import type { Answer } from '../../session';
import { contexts, curveContexts, loads } from './axes';

// What the map asks the core about one answer.

export type Mode = 'load' | 'format';

const ROWS = 8;
const COLUMNS = 8;
/** On a phone, so that a cell is as wide as a finger. */
const NARROW_COLUMNS = 5;
const NARROW = 480;

const number = (value: unknown) => (typeof value === 'number' && value > 0 ? value : null);

export const askedContext = ({ report }: Answer) => number(report.capacity.context);
export const askedLoad = ({ request }: Answer) => number(request.workload.concurrency);
const limitOf = ({ report }: Answer) => report.model.max_context ?? 0;

export function gridQuery(answer: Answer, mode: Mode, width: number): ScanQuery {
  const columns = width < NARROW ? NARROW_COLUMNS : COLUMNS;
  const across = contexts(limitOf(answer), askedContext(answer), columns);
  return {
    request: answer.request as Contract,
    axes: [
      mode === 'load'
        ? { name: 'concurrency', values: loads(askedLoad(answer), ROWS) }
        : { name: 'weight_format' },
      { name: 'context', values: across },
    ],
  };
}

export const curveQuery = (answer: Answer): ScanQuery => ({
  request: answer.request as Contract,
  axes: [{ name: 'context', values: curveContexts(limitOf(answer), askedContext(answer)) }],
});
