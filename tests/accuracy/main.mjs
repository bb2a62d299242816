// `node tests/accuracy/main.mjs [--evaluate <program>] [--rows] [--write <folder>] [engine …]`: every
// measured start of the corpus against the estimate. Without --evaluate the rows go through the
// command line's `batch`. --write leaves the aggregates in <folder>/<engine>.json and every row in
// <folder>/rows/<engine>.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compare } from './compare.mjs';
import { factsOf } from './facts.mjs';
import { rowFacts } from './rows.mjs';
import { printRows, printTables } from './table.mjs';
import { rowsOf, sharedOf } from './truth.mjs';

const ENGINES = ['vllm', 'sglang', 'trtllm', 'llamacpp'];
const COMMAND = fileURLToPath(new URL('../../wasm/bin/ridgepoint.mjs', import.meta.url));
const LARGEST_OUTPUT = 1 << 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    evaluate: { type: 'string' },
    rows: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});

const [program, ...args] = values.evaluate
  ? [values.evaluate]
  : [process.execPath, COMMAND, 'batch'];

function evaluate(requests) {
  if (requests.length === 0) return [];
  const input = `${requests.map((request) => JSON.stringify(request)).join('\n')}\n`;
  const run = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: LARGEST_OUTPUT });
  if (run.error) throw run.error;
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A model, an address or a column a line, so that a change shows where it is. */
function written(facts) {
  const line = (value) => JSON.stringify(value);
  const list = (values) => `[\n${values.map((value) => `  ${line(value)}`).join(',\n')}\n ]`;
  const { sources, models, rows, ...head } = facts;
  const fields = Object.entries(rows).map(([name, column]) => `  ${line(name)}: ${line(column)}`);
  return [
    '{',
    ...Object.entries(head).map(([name, value]) => ` ${line(name)}: ${line(value)},`),
    ` "sources": ${list(sources)},`,
    ` "models": ${list(models)},`,
    ` "rows": {\n${fields.join(',\n')}\n }`,
    '}\n',
  ].join('\n');
}

const shared = sharedOf();
for (const engine of positionals.length === 0 ? ENGINES : positionals) {
  const module = new URL(`./${engine}.mjs`, import.meta.url);
  const rows = rowsOf(engine);
  if (rows === null || !existsSync(fileURLToPath(module))) {
    console.log(`skipped: the measured starts of ${engine} are not here`);
    continue;
  }
  const corpus = await import(module.href);
  const result = compare(engine, corpus, rows, shared, evaluate);
  if (values.rows) printRows(result);
  printTables(result, corpus.causes);
  if (values.write) {
    mkdirSync(`${values.write}/rows`, { recursive: true });
    const text = JSON.stringify(factsOf(result), null, 1);
    writeFileSync(`${values.write}/${engine}.json`, `${text}\n`);
    const file = `${values.write}/rows/${engine}.json`;
    const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
    writeFileSync(file, written(rowFacts(result, corpus, evaluate, shared, before)));
  }
}
