/**
 * Rows of cells as aligned columns.
 *
 * @param {string[][]} rows
 * @param {{ indent?: number, right?: number[] }} [options] `right`: columns set to the right
 */
export function columns(rows, { indent = 0, right = [] } = {}) {
  const widths = rows.reduce(
    (sizes, row) => row.map((cell, i) => Math.max(sizes[i] ?? 0, cell.length)),
    /** @type {number[]} */ ([]),
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      right.includes(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]),
    );
    return `${' '.repeat(indent)}${cells.join('  ')}`.trimEnd();
  });
}

/**
 * A sentence broken into lines.
 *
 * @param {string} text
 * @param {{ width: number, first?: string, indent?: string }} options
 */
export function wrap(text, { width, first = '', indent = ' '.repeat(first.length) }) {
  /** @type {string[]} */
  const lines = [];
  let line = first;
  let empty = true;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  if (!empty) lines.push(line);
  return lines;
}

/**
 * Names with what they are, as two columns, or as sentences where those are too wide.
 *
 * @param {string[][]} rows
 * @param {number} width
 */
export function pairs(rows, width) {
  const lines = columns(rows);
  if (lines.every((line) => line.length <= width)) return lines;
  return rows.flatMap(([name, value]) => wrap(`${name}: ${value}`, { width, indent: '  ' }));
}
