import { html, nothing } from 'lit-html';
import { engineName } from './setup';

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

const facts = Object.values(
  import.meta.glob<Facts>('../../../core/data/accuracy/*.json', { eager: true, import: 'default' }),
);

const percent = (share: number | null, digits = 1) =>
  share === null ? 'too few' : `${(share * 100).toFixed(digits)} %`;

function row({ engine, groups }: Facts, term: string, label: string) {
  const fact = groups.find((each) => each.group === 'all' && each.term === term);
  if (!fact) return nothing;
  return html`<tr>
    <th scope="row">${engineName(engine)}, ${label}</th>
    <td class="num">${fact.starts}</td>
    <td class="num">${percent(fact.median_error, 2)}</td>
    <td class="num">${percent(fact.p90_error)}</td>
    <td class="num">${percent(fact.held, 0)}</td>
    <td class="num">${fact.naive_median_error === null ? '' : percent(fact.naive_median_error)}</td>
  </tr>`;
}

/** Order of the engines' menu, which is that of the core. */
export function accuracySection(order: string[]) {
  const sorted = [...facts].sort((a, b) => order.indexOf(a.engine) - order.indexOf(b.engine));
  return html`<section aria-labelledby="accuracy-title">
    <h3 id="accuracy-title">How close it is</h3>
    <div class="scroll" tabindex="0" role="group" aria-label="Errors against measured start-ups">
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">Against measured start-ups</th>
            <th scope="col" class="num">Starts</th>
            <th scope="col" class="num">Median error</th>
            <th scope="col" class="num">Nine in ten below</th>
            <th scope="col" class="num">In the range</th>
            <th scope="col" class="num">Naive</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map((each) => [row(each, 'weights', 'weights'), row(each, 'kv_pool', 'KV pool')])}
        </tbody>
      </table>
    </div>
    <p class="hint">
      From config, card and flags alone. Starts whose source leaves one of them out are not counted;
      below ten starts no percentage is given.
    </p>
  </section>`;
}
