// A config with only the keys that change an answer. A key goes when every question asked of the
// model has the same answer without it, whole report against whole report.

/**
 * @typedef {{ id?: string, config?: Record<string, any>, quant_config?: Record<string, any> }} Model
 * @typedef {{ model: Model, requests: any[], instead: Model[] }} Asked what is asked of a model, and
 *   models that may stand for it
 */

/** What every model is asked besides its rows, so that a reader may go on with another engine. */
const PLAIN = ['vllm', 'sglang', 'trtllm', 'llamacpp'].map((name) => ({
  gpu: { id: 'b300', count: 8 },
  engine: { name },
}));

/**
 * @param {Asked[]} asked
 * @param {(requests: object[]) => any[]} evaluate
 * @returns {Model[]} in the order of `asked`
 */
export function reduced(asked, evaluate) {
  const states = asked.map((one) => ({
    questions: [...one.requests, ...PLAIN],
    best: one.model,
    tries: triesOf(one),
    wanted: '',
  }));
  const answers = answersOf(states, (state) => state.best, evaluate);
  for (const [i, state] of states.entries()) state.wanted = answers[i];
  for (;;) {
    const open = states.filter((state) => state.tries.length !== 0);
    if (open.length === 0) return states.map((state) => state.best);
    const next = open.map((state) => ({ state, step: state.tries.shift() }));
    const made = next.map(({ state, step }) => ({ ...state, best: step.apply(state.best) }));
    const got = answersOf(made, (state) => state.best, evaluate);
    for (const [i, { state, step }] of next.entries()) {
      if (got[i] === state.wanted) {
        state.best = made[i].best;
        if (step.final) state.tries = [];
      } else state.tries.unshift(...step.halves());
    }
  }
}

/** What a model is called, and that its sizes are built in, is no fact of its size; nor is speed. */
export function sameAnswer(report) {
  const { id: _, speed: ___, model, ...rest } = report;
  const { id: __, notes, ...told } = model;
  const explain = rest.explain.filter(({ term }) => term !== 'ttft' && term !== 'tpot');
  const others = notes.filter((note) => !note.includes('built-in catalogue'));
  return JSON.stringify({ ...rest, explain, model: { ...told, notes: others } });
}

function answersOf(states, modelOf, evaluate) {
  const requests = states.flatMap((state) =>
    state.questions.map((request) => {
      const model = modelOf(state);
      return { ...request, id: '', model: { ...(model.id ? {} : { id: NAME }), ...model } };
    }),
  );
  const reports = evaluate(requests);
  let next = 0;
  return states.map((state) =>
    state.questions
      .map(() => {
        const report = reports[next++];
        return report.error ? JSON.stringify(report) : sameAnswer(report);
      })
      .join('\n'),
  );
}

/** The rows name a model as their source does; here all have one name. */
const NAME = 'a/model';

function triesOf({ model, instead }) {
  if (!model.config) return [];
  const stands = instead.map((other) => ({
    apply: () => other,
    final: true,
    halves: () => [],
  }));
  const paths = [
    ...pathsOf(model.config, ['config']),
    ...pathsOf(model.quant_config, ['quant_config']),
  ];
  return [...stands, dropping(paths)];
}

/** Whole objects before what is in them. */
function pathsOf(value, path) {
  if (!value || typeof value !== 'object') return [];
  if (Array.isArray(value)) return [];
  const keys = Object.keys(value);
  return keys.flatMap((key) => [[...path, key], ...pathsOf(value[key], [...path, key])]);
}

function dropping(paths) {
  return {
    final: false,
    apply: (model) => paths.reduce(without, model),
    halves() {
      if (paths.length < 2) return [];
      const middle = Math.floor(paths.length / 2);
      return [dropping(paths.slice(0, middle)), dropping(paths.slice(middle))];
    },
  };
}

function without(value, path) {
  const [key, ...rest] = path;
  if (!value || typeof value !== 'object' || !(key in value)) return value;
  if (rest.length !== 0) return { ...value, [key]: without(value[key], rest) };
  const { [key]: _, ...kept } = value;
  return kept;
}
