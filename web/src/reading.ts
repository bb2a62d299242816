import type { LogAnswer, LogQuery, ReadCommandQuery } from 'ridgepoint';
import type { Applied } from './request';
import type { Request } from './types';

// What the page knows that a pasted command or log does not tell, and what is taken from a log.

type Known = Pick<Request, 'gpu' | 'workload'> | undefined;

/** A command names no card and no load: they are those at hand. */
export const commandQuery = (text: string, known: Known): ReadCommandQuery => ({
  text,
  ...(known ? { gpu: known.gpu, workload: known.workload } : {}),
});

/** A log tells how many cards there were, and mostly not which. */
export function logQuery(known: Known, model?: Request['model']): LogQuery {
  if (!known) return {};
  const { count: _, ...gpu } = known.gpu;
  return { request: { gpu, ...(model ? { model } : {}) } };
}

/** The setup that a log shows, on the card at hand where the log alone is not enough. */
export function setupOfLog(told: LogAnswer, known: Known): Applied {
  const { settings, request } = told;
  return { ...(request ?? { ...settings, gpu: { ...known?.gpu, ...settings.gpu } }), measured: {} };
}

/** The same with what the log measured in place of the estimates. */
export const measuredSetup = (told: LogAnswer, known: Known): Applied =>
  told.calibrated ?? { ...setupOfLog(told, known), measured: told.measured };
