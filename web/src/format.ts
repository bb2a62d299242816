import type { Estimate } from './types';

// Everything the page does to a number: choose a unit and round, in the reader's way of writing
// numbers. Sizes arrive in bytes.

export const languages = ['en', 'ru', 'zh'] as const;
export type Lang = (typeof languages)[number];

export interface Scale {
  unit: string;
  text: (value: number) => string;
}

export interface Forms {
  one: string;
  few?: string;
  many?: string;
  other: string;
}

export interface Formats {
  lang: Lang;
  whole(value: number): string;
  fixed(value: number, digits: number): string;
  /** Three or so significant digits, without exponents. */
  short(value: number): string;
  /** A share, 0 to 1, as per cent. */
  percent(share: number, digits?: number): string;
  /** Millions with one digit, so that a column of them lines up. */
  millions(count: number): string;
  gib: Scale;
  /** The largest binary unit that keeps the number at one or more. */
  sizeScale(bytes: number): Scale;
  size(bytes: number): string;
  /** The decimal size and the bytes, for the tooltip of a binary one. */
  decimalSize(bytes: number): string;
  /** Seconds for people: milliseconds below one second. */
  timeScale(seconds: number): Scale;
  plain(unit: string, digits?: number): Scale;
  /** "54.10 to 55.20", or nothing where the number is exact. */
  range(estimate: Pick<Estimate, 'low' | 'high'>, scale: Scale): string;
  plural(count: number, forms: Forms): string;
}

const GIB = 2 ** 30;
const binary: [number, string][] = [
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];

/** Between thousands, and before a fraction. The browser's own formatter knows them too, but is slow to begin. */
const separators: Record<Lang, [string, string]> = {
  en: [',', '.'],
  ru: ['\u00a0', ','],
  zh: [',', '.'],
};
const between: Record<Lang, (low: string, high: string) => string> = {
  en: (low, high) => `${low} to ${high}`,
  ru: (low, high) => `от ${low} до ${high}`,
  zh: (low, high) => `${low} 至 ${high}`,
};
const byteWord: Record<Lang, Forms> = {
  en: { one: 'byte', other: 'bytes' },
  ru: { one: 'байт', few: 'байта', many: 'байт', other: 'байта' },
  zh: { one: '字节', other: '字节' },
};

export function formatsOf(lang: Lang): Formats {
  const [group, point] = separators[lang];
  const fixed = (value: number, digits: number) => {
    const [whole = '', part] = value.toFixed(digits).split('.');
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
    return part ? grouped + point + part : grouped;
  };
  const whole = (value: number) => fixed(value, 0);
  const short = (value: number) => {
    const size = Math.abs(value);
    if (size >= 100 || Number.isInteger(value)) return whole(value);
    return fixed(value, size >= 10 ? 1 : size >= 1 ? 2 : 3);
  };
  let rules: Intl.PluralRules | undefined;
  const plural = (count: number, forms: Forms) => {
    if (lang === 'en') return count === 1 ? forms.one : forms.other;
    rules ??= new Intl.PluralRules(lang);
    return forms[rules.select(count) as keyof Forms] ?? forms.other;
  };
  const gib: Scale = {
    unit: 'GiB',
    text: (bytes) => fixed(bytes / GIB, Math.abs(bytes) >= 1000 * GIB ? 0 : 2),
  };
  const sizeScale = (bytes: number): Scale => {
    if (Math.abs(bytes) >= GIB) return gib;
    const found = binary.find(([least]) => Math.abs(bytes) >= least);
    const [step, unit] = found ?? [1, plural(Math.round(bytes), byteWord[lang])];
    return { unit, text: (value) => short(value / step) };
  };
  return {
    lang,
    whole,
    fixed,
    short,
    percent: (share, digits = 0) => `${fixed(share * 100, digits)} %`,
    millions: (count) => (count > 0 && count < 5e4 ? `<${fixed(0.1, 1)}` : fixed(count / 1e6, 1)),
    gib,
    sizeScale,
    size: (bytes) => {
      const scale = sizeScale(bytes);
      return `${scale.text(bytes)} ${scale.unit}`;
    },
    decimalSize: (bytes) =>
      `${fixed(bytes / 1e9, 2)} GB (${whole(bytes)} ${plural(bytes, byteWord[lang])})`,
    timeScale: (seconds) =>
      Math.abs(seconds) < 1
        ? { unit: 'ms', text: (value) => short(value * 1000) }
        : { unit: 's', text: short },
    plain: (unit, digits) => ({
      unit,
      text: (value) => (digits === undefined ? short(value) : fixed(value, digits)),
    }),
    range: (estimate, scale) => {
      const [low, high] = [scale.text(estimate.low), scale.text(estimate.high)];
      return low === high ? '' : between[lang](low, high);
    },
    plural,
  };
}
