import { LONGEST_PACKED, pack, unpack } from '../../hash';

// A recorded trace: its text in the tab, and in the link where it is short enough for one.

export interface Trace {
  name: string;
  text: string;
}

const KEY = 'ridgepoint.trace';
export const LARGEST_TRACE = 64 * 2 ** 20;

/** Lines that hold something: nearly the requests. */
export const linesOf = ({ text }: Trace) =>
  text.split('\n').reduce((sum, line) => sum + Number(line.trim() !== ''), 0);

/** Kept for a reload of the tab, where it is too long for a link. */
export function keepTrace(trace: Trace): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(trace));
  } catch {
    // Full or switched off: a reload then asks for the file again.
  }
}

export function keptTrace(name: string): Trace | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Trace | null;
    return kept?.name === name ? kept : null;
  } catch {
    return null;
  }
}

/** Empty where it is too long. */
export async function packTrace({ text }: Trace): Promise<string> {
  // A tenth of its size is the best there is to hope for.
  if (text.length > LONGEST_PACKED * 20) return '';
  const packed = await pack(text);
  return packed.length > LONGEST_PACKED ? '' : packed;
}

export const unpackTrace = (packed: string) => unpack(packed);
