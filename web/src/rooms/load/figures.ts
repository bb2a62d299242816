import type { Locale } from '../../locale';

// How the view writes its numbers.

/** A time in the unit that suits it. */
export function seconds(value: number, locale: Locale): string {
  if (value >= 5400) return `${locale.short(value / 3600)} h`;
  if (value >= 180) return `${locale.short(value / 60)} min`;
  const scale = locale.timeScale(value);
  return `${scale.text(value)} ${scale.unit}`;
}

/** The lowest and the highest factor. */
export const range = ([low, high]: [number, number], locale: Locale) =>
  locale.range({ low, high }, locale.plain('', 2)) || locale.fixed(low, 2);

/** The list prices are in US dollars. */
export const money = (value: number, locale: Locale) =>
  new Intl.NumberFormat(locale.lang, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: value < 1 ? 3 : 2,
  }).format(value);
