import type { Locale } from '../../locale';

// Differences, with their sign.

const MINUS = '−';

const sign = (value: number) => (value > 0 ? '+' : value < 0 ? MINUS : '');

/** GiB as long as two decimals tell anything, so that a column has one unit. */
const scaleOf = (size: number, locale: Locale) =>
  size >= 2 ** 30 / 100 ? locale.gib : locale.sizeScale(size);

export function plainSize(bytes: number, locale: Locale): string {
  if (bytes === 0) return '0';
  const size = Math.abs(bytes);
  const scale = scaleOf(size, locale);
  return `${bytes < 0 ? MINUS : ''}${scale.text(size)} ${scale.unit}`;
}

export const signedSize = (bytes: number, locale: Locale): string =>
  `${bytes > 0 ? '+' : ''}${plainSize(bytes, locale)}`;

export const signedWhole = (value: number, { whole }: Locale): string =>
  `${sign(value)}${whole(Math.abs(value))}`;

/** Where a difference lies in a picture of per cent whose middle is zero. */
export function span(value: number, largest: number): { x: number; width: number } {
  const width = largest > 0 ? (Math.abs(value) / largest) * 50 : 0;
  return { x: value < 0 ? 50 - width : 50, width };
}
