import type { ErrorReport, Report, Request } from 'ridgepoint';
import { type Followed, followedOf, type Start, startOf } from './compare';
import type { Row } from './rows';

// Every row worked out in the worker, a few at a time, so that the page can be used meanwhile.

/** Asked in one go: enough to keep the worker busy, few enough to let another question in. */
const AT_ONCE = 4;

export interface Evaluate {
  ask(question: 'evaluate', query: Request): Promise<Report | ErrorReport>;
}

export interface Work {
  rows: Row[];
  starts: Start[];
  followed: Map<string, Followed>;
  done: number;
  /** Rows of which the core answered something else than when the facts were written. */
  failed: string[];
  failure: string;
}

export const begun = (rows: Row[]): Work => ({
  rows,
  starts: [],
  followed: new Map(),
  done: 0,
  failed: [],
  failure: '',
});

async function workOutRow(work: Work, row: Row, planner: Evaluate) {
  if (row.request) {
    const report = await planner.ask('evaluate', row.request);
    if ('error' in report) {
      work.failed.push(row.id);
      work.failure = report.error.message;
    } else {
      work.starts.push(startOf(row, report));
    }
  }
  if (row.given.length > 0) {
    const answers = await Promise.all(row.given.map((one) => planner.ask('evaluate', one)));
    work.followed.set(row.id, followedOf(row, answers));
  }
  work.done += 1;
}

export async function workOut(work: Work, planner: Evaluate, changed: () => void): Promise<void> {
  const waiting = [...work.rows];
  const next = async (): Promise<void> => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      await workOutRow(work, row, planner);
      changed();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
