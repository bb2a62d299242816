// The corpus of measured starts: where it is, and what its words mean here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Row, Shared } from './types' */

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CORPUS = process.env.RIDGEPOINT_SHARED ?? here('../../../shared');
const FIXTURES = here('../fixtures/configs');

/** The rows of one engine; null when the corpus is not on this machine. */
export function rows_of(engine) {
  const file = `${CORPUS}/truth/${engine}.jsonl`;
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** @returns {Shared} */
export function shared_of() {
  const facts = (name) => JSON.parse(readFileSync(here(`../../core/data/${name}.json`), 'utf8'));
  const names = new Map();
  for (const card of facts('gpus').gpus) {
    for (const name of [card.id, card.name, ...(card.aliases ?? [])]) names.set(plain(name), card.id);
  }
  const built_in = new Set(facts('models').models.map((model) => model.id));
  const files = existsSync(`${CORPUS}/configs`) ? readdirSync(`${CORPUS}/configs`) : [];
  const fixtures = readdirSync(FIXTURES);
  const parsed = (path) => {
    try {
      const value = JSON.parse(readFileSync(path, 'utf8'));
      return value && typeof value === 'object' ? value : null;
    } catch {
      return null;
    }
  };
  return {
    config: (file) => (file && files.includes(file) ? parsed(`${CORPUS}/configs/${file}`) : null),
    fixture(model) {
      const own = fixtures.find((file) => file === `${model.replace('/', '--')}.json`);
      if (own) return parsed(`${FIXTURES}/${own}`);
      const file = files.find((name) => name === `${model.replace('/', '__')}.json`);
      if (file) return parsed(`${CORPUS}/configs/${file}`);
      return built_in.has(model) ? { built_in: true } : null;
    },
    card(words) {
      for (const text of shorter_and_shorter(words)) {
        const id = names.get(plain(text));
        if (id) return id;
      }
      return null;
    },
  };
}

const plain = (text) => text.toLowerCase().replace(/nvidia|geforce|tesla/g, '').replace(/[^a-z0-9]/g, '');

/** "RTX 5070 Ti 16GB (WSL)" is looked for whole, then without what may be in brackets, and so on. */
function* shorter_and_shorter(words) {
  yield words;
  const inside = /\(([^)]*)\)/.exec(words)?.[1];
  if (inside) yield inside.replace(/ class$/, '');
  const named = /\b(GB200|B200|B300|H200|H100|A100)\b/.exec(words)?.[1];
  for (const end of [/\s*\(.*$/, /\s*\/.*$/, /[ -](class|laptop).*$/, /[ -]\d+ ?GB.*$/i]) {
    words = words.replace(end, '');
    yield words;
  }
  if (named) yield named;
}
