/**
 * Records of RFC 4180, by its grammar alone: what is not CSV is an error.
 *
 * @param {string} text
 * @returns {string[][]}
 */
export function parseCsv(text) {
  const records = [];
  let record = [];
  for (let at = 0; at < text.length; ) {
    let field = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        field += text[at];
      }
      at += 1;
    } else {
      const [plain] = /^[^",\r\n]*/.exec(text.slice(at)) ?? [''];
      field = plain;
      at += plain.length;
    }
    record.push(field);
    if (text[at] === ',') {
      at += 1;
      // A comma at the end of a line has an empty field behind it.
      if (text.startsWith('\r\n', at)) {
        record.push('');
      } else continue;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no end of a record at ${at}`);
    records.push(record);
    record = [];
    at += 2;
  }
  return records;
}

/** The records as objects by the heads. @param {string} text */
export function csvRows(text) {
  const [heads, ...records] = parseCsv(text);
  return records.map((record) => {
    if (record.length !== heads.length) throw new Error('a record has not one field a head');
    return Object.fromEntries(heads.map((head, at) => [head, record[at]]));
  });
}
