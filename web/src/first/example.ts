import type { TemplateResult } from 'lit-html';
import { startPlace } from '../browser';
import { Combobox } from '../combobox';
import type { Calculator } from '../engine';
import { loadLocale } from '../locale';
import { type Planner, Question } from '../planner';
import { empty, evaluate } from '../session';
import { DEFAULT_HUB } from '../state';
import { app } from '../views/app';
import type { Actions } from '../views/context';

// The page as it opens, before anyone has touched it: the build writes it into the HTML, so that the
// answer to the example is there before anything that could work it out.

export async function examplePage(core: Calculator): Promise<TemplateResult> {
  const [locale] = await Promise.all([loadLocale('en'), core.started]);
  const place = startPlace();
  const [inputs] = place.sides;
  const session = evaluate(core, inputs, null, null, empty, locale.words);
  if (!session.answer) throw new Error(`the example has no answer: ${JSON.stringify(session)}`);
  const planner = {} as Planner;
  const idle = () => {};
  return app({
    locale,
    inputs,
    session,
    place,
    other: null,
    fetched: null,
    weights: null,
    loading: null,
    loadProblem: null,
    got: null,
    catalogue: core.catalogue,
    starting: false,
    planner,
    advice: new Question(planner, 'advise', idle),
    whole: new Question(planner, 'evaluate', idle),
    cards: new Combobox(idle),
    models: new Combobox(idle),
    token: { value: '', kept: false, origin: DEFAULT_HUB },
    theme: 'auto',
    recent: [],
    notice: null,
    takeOver: null,
    dialog: null,
    settled: false,
    answerFirst: false,
    aim: null,
    room: () => 'loading',
    actions: {} as Actions,
  });
}
