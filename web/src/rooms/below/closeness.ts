import { html, nothing } from 'lit-html';
import { accuracyPage } from '../../assets';
import { engineName } from '../../engine-name';
import type { Locale } from '../../locale';
import type { View } from '../../views/context';
import { belowWords } from './words';

// How close the estimates are, from the facts that tests/accuracy.sh writes.

interface Fact {
  group: string;
  term: string;
  starts: number;
  median_error: number | null;
  p90_error: number | null;
  held: number | null;
  naive_median_error: number | null;
}

interface Facts {
  engine: string;
  rows: number;
  used: number;
  groups: Fact[];
}

// The engines alone: the measured speeds lie there too, and are another page's.
const facts = Object.values(
  import.meta.glob<Facts>('../../../../core/data/accuracy/{vllm,sglang,trtllm,llamacpp}.json', {
    eager: true,
    import: 'default',
  }),
);

const percent = (locale: Locale, share: number | null, digits = 1) =>
  share === null ? belowWords(locale).accuracy.tooFew : locale.percent(share, digits);

function row(locale: Locale, { groups }: Facts, term: string, label: string) {
  const fact = groups.find((each) => each.group === 'all' && each.term === term);
  if (!fact) return nothing;
  return html`<tr>
    <th scope="row">${label}</th>
    <td class="num">${fact.starts}</td>
    <td class="num">${percent(locale, fact.median_error, 2)}</td>
    <td class="num">${percent(locale, fact.p90_error)}</td>
    <td class="num">${percent(locale, fact.held, 0)}</td>
    <td class="num">${fact.naive_median_error === null ? '' : percent(locale, fact.naive_median_error)}</td>
  </tr>`;
}

/** In the order of the engines' menu, which is that of the core. */
export function accuracySection({ locale, catalogue }: View) {
  const order = catalogue.engines.map(({ name }) => name);
  const sorted = [...facts].sort((a, b) => order.indexOf(a.engine) - order.indexOf(b.engine));
  const told = belowWords(locale).accuracy;
  return html`<section aria-labelledby="accuracy-title">
    <h3 id="accuracy-title">${told.title}</h3>
    <div class="scroll" tabindex="0" role="group" aria-label=${told.scroll}>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">${told.against}</th>
            <th scope="col" class="num">${told.starts}</th>
            <th scope="col" class="num">${told.median}</th>
            <th scope="col" class="num">${told.nine}</th>
            <th scope="col" class="num">${told.held}</th>
            <th scope="col" class="num">${told.naive}</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map((each) => [
            row(locale, each, 'weights', told.weights(engineName(each.engine))),
            row(locale, each, 'kv_pool', told.pool(engineName(each.engine))),
          ])}
        </tbody>
      </table>
    </div>
    <p class="hint">${told.hint} <a href=${accuracyPage}>${told.all}</a></p>
  </section>`;
}
