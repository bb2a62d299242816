// Reading what people type. What cannot be read goes to the core as it is: one place says what is
// wrong with a value, and it names the field.

const suffixes: Record<string, number> = { k: 1e3, K: 1024, m: 1e6, M: 1024 ** 2 };

/** "8,192" is eight thousand to everybody; "79,2" can only be a decimal. */
function digits(text: string): number {
  const bare = text.replace(/[_\s\u00a0\u202f]/g, '');
  const decimalComma = /^-?\d+,\d+$/.test(bare) && !/^-?\d{1,3}(,\d{3})+$/.test(bare);
  return Number(decimalComma ? bare.replace(',', '.') : bare.replaceAll(',', ''));
}

/** "8192", "8,192", "8 192", "32K" (32,768) and "32k" (32,000, as vLLM reads it); else the text. */
export function count(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const match = /^(-?[\d,_\s\u00a0\u202f]*\.?\d+)([kKmM]?)$/.exec(trimmed);
  if (!match) return trimmed;
  const value = digits(match[1] ?? '') * (suffixes[match[2] ?? ''] ?? 1);
  return Number.isFinite(value) ? value : trimmed;
}

/** A decimal number in a unit, as the number of base units; else the text itself. */
export function scaled(text: string, unit: number): number | string | undefined {
  const value = count(text);
  return typeof value === 'number' ? Math.round(value * unit) : value;
}

/** A flag's value by its type, left as text where it does not fit, so that the core can say so. */
export function flagValue(text: string, type: string | undefined): unknown {
  const trimmed = text.trim();
  const number = Number(trimmed);
  if (type === 'boolean') return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed;
  if (type === 'integer' || type === 'number') return Number.isFinite(number) ? number : trimmed;
  if (type === 'json') {
    try {
      return JSON.parse(trimmed);
    } catch {
      return trimmed;
    }
  }
  return trimmed;
}

/** The text of a flag's value, which `flagValue` reads back. */
export const flagText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
