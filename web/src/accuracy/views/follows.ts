import { html, nothing } from 'lit-html';
import { engineName } from '../../engine-name';
import { follows, refusals } from '../aggregate';
import { engines } from '../facts';
import type { AccuracyView } from '../page';
import { words } from '../words';

// What of a log follows once its own figures are put in.

const order = ['kv_pool', 'tokens', 'concurrency', 'max_len', 'needed'];

export function followsSection({ work, working, locale }: AccuracyView) {
  if (working) return nothing;
  const told = locale.pick(words);
  const seen = (engine: string) => {
    const rows = work.rows.filter((row) => row.engine === engine);
    const list = rows.map(({ id }) => work.followed.get(id) ?? {});
    return follows(list).filter(({ starts }) => starts > 0);
  };
  const all = engines.map((engine) => ({ engine, seen: seen(engine) }));
  const terms = order.filter((term) =>
    all.some((one) => one.seen.some((each) => each.term === term)),
  );
  const cell = (list: ReturnType<typeof seen>, term: string) => {
    const one = list.find((each) => each.term === term);
    return one ? told.exact(locale.whole(one.exact), locale.whole(one.starts)) : told.notSaid;
  };
  const { refused, told: foretold } = refusals(work.starts);
  return html`<section aria-labelledby="accuracy-follows">
    <h2 id="accuracy-follows">${told.follows}</h2>
    <p class="prose">${told.followsText}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${told.follows}>
      <table class="accuracy-follows">
        <caption class="sr">${told.follows}</caption>
        <thead>
          <tr>
            <th scope="col">${told.term}</th>
            ${all.map(({ engine }) => html`<th scope="col" class="num">${engineName(engine)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${terms.map(
            (term) => html`<tr data-term=${term}>
              <th scope="row">${told.followed[term] ?? term}</th>
              ${all.map((one) => html`<td class="num" data-engine=${one.engine}>${cell(one.seen, term)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      refused > 0
        ? html`<p class="prose">${told.refused(locale.whole(foretold), locale.whole(refused))}</p>`
        : nothing
    }
  </section>`;
}
