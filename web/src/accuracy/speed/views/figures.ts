import type { Scale } from '../../../format';
import type { Locale } from '../../../locale';
import type { FigureName } from '../groups';
import type { Point } from '../packed';
import { words } from '../words';

// Numbers of the speeds: one unit for a whole column.

export const scaleOf = (figure: FigureName, locale: Locale): Scale => {
  if (figure === 'tpot') return { unit: 'ms', text: (seconds) => locale.short(seconds * 1000) };
  if (figure === 'ttft') return { unit: 's', text: locale.short };
  return { unit: locale.pick(words).tokensPerSecond, text: locale.short };
};

/** One unit of the picture's axes in the figure's own. */
export const oneOf = (figure: FigureName) => (figure === 'tpot' ? 1e-3 : 1);

export const cardsOf = ({ card, cards }: Point, locale: Locale) =>
  `${cards > 1 ? `${locale.whole(cards)} × ` : ''}${card.replaceAll('-', ' ')}`;

export function loadOf({ input, output, users }: Point, locale: Locale): string {
  const own = locale.pick(words);
  const length = (value: number | null) => locale.whole(value ?? 0);
  const lengths = input || output ? own.load(length(input), length(output)) : '';
  return [lengths, users ? own.users(locale.whole(users)) : ''].filter(Boolean).join(', ');
}
