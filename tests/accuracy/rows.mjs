// Every row of the corpus as compact facts: what makes its request, what was measured, its source.
// The page computes all of it again from these.
import { FOLLOWS } from './compare.mjs';
import { reasonCode } from './reasons.mjs';
import { reduced } from './reduce.mjs';

/** @import { Comparison } from './compare.mjs' */
/** @import { Corpus, Shared } from './types' */

const GIB = 2 ** 30;
const SIZES = ['weights', 'activation', 'non_torch', 'outside', 'graphs', 'kv_pool', 'needed'];
const COUNTS = ['blocks', 'tokens', 'concurrency', 'max_len'];

/**
 * @param {Comparison} result
 * @param {Corpus} corpus
 * @param {(requests: object[]) => any[]} evaluate
 * @param {Shared} shared
 * @param {any} before the facts of an earlier run, whose models are kept where they still answer
 */
export function rowFacts(result, corpus, evaluate, shared, before) {
  const sources = listOf();
  const earlier = new Map(
    before?.rows.id.map((id, i) => [id, before.models[before.rows.model[i]]]) ?? [],
  );
  const instead = ({ row }, config) =>
    [...shared.standIns(config).map((id) => ({ id })), earlier.get(row.id)].filter(
      (model) => model,
    );
  const models = modelsOf(result.cases, evaluate, instead, shared);
  const used = new Map(result.used.map((one) => [one.id, one]));
  const why = new Map(result.excluded.map((one) => [one.id, one.why]));
  const rows = result.cases.map((one) => {
    const { row } = one;
    const base = one.request ?? one.given?.[0] ?? null;
    return {
      id: row.id,
      source: sources.place(sourceOf(row.source)),
      date: row.date ?? null,
      name: row.model ?? null,
      card: row.gpu ?? null,
      version_told: row.engine_version ?? null,
      outcome: row.outcome,
      left_out: why.has(row.id) ? reasonCode(why.get(row.id)) : null,
      era: corpus.era(row),
      kind: used.get(row.id)?.kind ?? null,
      ...figuresOf(corpus.measured(row)),
      model: base ? models.places.get(one) : null,
      version: base?.engine.version ?? null,
      gpu: base?.gpu ?? null,
      nominal: base ? shared.facts(base).nominal : null,
      args: filled(base?.engine.args),
      env: filled(base?.engine.env),
      measured: filled(one.request?.measured),
      given: one.given?.length ? one.given.map((given) => changes(one.request, base, given)) : null,
    };
  });
  return {
    engine: result.engine,
    follows: corpus.follows ?? FOLLOWS,
    tolerance: corpus.tolerance ?? 0,
    sources: sources.list,
    models: models.list,
    hidden: models.hidden,
    rows: columns(rows),
  };
}

/** Rows of one address share it; a copy without an address is one by its number. */
function sourceOf(source) {
  if (/^https:/.test(source)) return source;
  return /index copy (\d+)/.exec(source)?.[1] ?? '';
}

function listOf() {
  const list = [];
  return {
    list,
    place(value) {
      const at = list.indexOf(value);
      return at === -1 ? list.push(value) - 1 : at;
    },
  };
}

/** Sizes in GiB with no more digits than tell the byte. */
function figuresOf(said) {
  const entries = [
    ...SIZES.map((term) => [term, said[term] ? inGib(said[term]) : null]),
    ...COUNTS.map((term) => [term, said[term] || null]),
  ];
  return Object.fromEntries(entries);
}

function inGib(bytes) {
  for (let digits = 0; digits < 12; digits += 1) {
    const gib = Number((bytes / GIB).toFixed(digits));
    if (Math.abs(gib * GIB - bytes) < 0.51) return gib;
  }
  throw new Error(`${bytes} bytes are no decimal of GiB`);
}

const filled = (value) => (value && Object.keys(value).length !== 0 ? value : null);

/** What is put into the request for the figures that follow from the log's own. */
function changes(request, base, given) {
  const args = differing(base.engine.args, given.engine.args);
  const gpu = differing(base.gpu, given.gpu);
  const made = { args, gpu, measured: filled(given.measured) };
  if (!request) return made.measured ? { measured: made.measured } : {};
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value));
}

function differing(before, after) {
  for (const key of Object.keys(before)) {
    if (!(key in after)) throw new Error(`${key} is taken out of a given request`);
  }
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value),
  );
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/** Models by content, each with only what the answers need. */
function modelsOf(cases, evaluate, instead, shared) {
  const asked = new Map();
  const keys = new Map();
  for (const one of cases) {
    const requests = [...(one.request ? [one.request] : []), ...(one.given ?? [])];
    if (requests.length === 0) continue;
    const { id, config, quant_config } = requests[0].model;
    const model = { ...(config ? { config } : { id }), ...(quant_config ? { quant_config } : {}) };
    const key = JSON.stringify(model);
    keys.set(one, key);
    if (!asked.has(key)) asked.set(key, { model, requests: [], instead: instead(one, config) });
    asked.get(key).requests.push(...requests.map(({ model: _, ...request }) => request));
  }
  const small = listOf();
  const made = reduced([...asked.values()], evaluate).map((model) =>
    small.place(JSON.stringify(model)),
  );
  const hidden = [];
  for (const [i, { model }] of [...asked.values()].entries()) {
    hidden[made[i]] = shared.facts({ model, gpu: {} }).hidden;
  }
  const place = new Map([...asked.keys()].map((key, i) => [key, made[i]]));
  return {
    list: small.list.map((text) => JSON.parse(text)),
    hidden,
    places: new Map([...keys].map(([one, key]) => [one, place.get(key)])),
  };
}

/** One array a field; a field that no row has is left out. */
function columns(rows) {
  const names = Object.keys(rows[0] ?? {});
  const full = names.filter((name) => rows.some((row) => row[name] !== null));
  return Object.fromEntries(full.map((name) => [name, rows.map((row) => row[name])]));
}
