import type { TemplateResult } from 'lit-html';
import type { Locale } from '../../locale';
import type { Problem } from '../../types';
import type { CommandsWords } from './words';

/** What went wrong, in the reader's language. */
export function problemText(
  locale: Locale,
  told: CommandsWords,
  { code, message }: Problem,
): TemplateResult | string {
  if (code === 'planner_unavailable') return locale.words.app.plannerFailed;
  if (code === 'unreadable') return told.unreadable;
  return locale.core(message);
}
