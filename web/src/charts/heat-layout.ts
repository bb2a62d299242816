import { textWidth } from './log-scale';

// Where the rows, columns and labels of a heat grid lie, in the pixels of its own width.

export interface HeatLayout {
  width: number;
  height: number;
  /** The left edge of each column and the top of each row. */
  columns: number[];
  rows: number[];
  cell: { width: number; height: number };
  /** Row labels stand above their cells where beside them they would take too much. */
  above: boolean;
  /** Text beside the icon, or under it. */
  beside: boolean;
  /** Text as small as may be, so that it stays in its cell. */
  dense: boolean;
  /** Baselines of the column labels and of the name of their axis. */
  heads: number;
  axis: number;
}

const GAP = 2;
/** Bold letters are wider. */
export const BOLD = 1.12;
/** A finger's width, and the strip with the pattern under it. */
const CELL = 46;
/** Of the whole width, at most, for labels beside the rows. */
const LABELS = 0.26;

export function layOutHeat(
  rows: readonly string[],
  columns: readonly string[],
  texts: readonly string[],
  width: number,
  type: number,
): HeatLayout {
  const longest = Math.max(...rows.map((label) => textWidth(label, type)), 0) + type;
  const above = longest > width * LABELS;
  const left = above ? 0 : longest;
  const cellWidth = (width - left - GAP * (columns.length - 1)) / columns.length;
  const axis = type;
  const heads = axis + type * 1.6;
  const lead = above ? type * 1.9 : 0;
  const first = heads + type * 0.7;
  const pitch = CELL + GAP + lead;
  const widest = Math.max(...texts.map((text) => textWidth(text, type * BOLD)), 0);
  return {
    width,
    height: first + pitch * rows.length,
    columns: columns.map((_, index) => left + index * (cellWidth + GAP)),
    rows: rows.map((_, index) => first + lead + index * pitch),
    cell: { width: cellWidth, height: CELL },
    above,
    beside: cellWidth >= widest + type * 2.4,
    dense: cellWidth < widest + 4,
    heads,
    axis,
  };
}

/** The cell that a key leads to from another, in rows of `columns`; null for other keys. */
export function heatStep(
  key: string,
  wide: boolean,
  at: number,
  rows: number,
  columns: number,
): number | null {
  const [row, column] = [Math.floor(at / columns), at % columns];
  const last = { row: rows - 1, column: columns - 1 };
  const to = (r: number, c: number) =>
    Math.min(Math.max(r, 0), last.row) * columns + Math.min(Math.max(c, 0), last.column);
  switch (key) {
    case 'ArrowRight':
      return to(row, column + 1);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowUp':
      return to(row - 1, column);
    case 'Home':
      return wide ? 0 : to(row, 0);
    case 'End':
      return wide ? to(last.row, last.column) : to(row, last.column);
    default:
      return null;
  }
}
