import { html, nothing } from 'lit-html';
import { engineName } from '../../../engine-name';
import { quantile } from '../../aggregate';
import { engines } from '../../facts';
import { share } from '../../views/figures';
import { menu, option } from '../../views/menu';
import { errorOf, everySpeed, isNarrowed } from '../filter';
import { engineOf, type FigureName, figures, kinds } from '../groups';
import type { SpeedView } from '../part';
import { words } from '../words';

function status({ locale, rising }: SpeedView): string {
  const own = locale.pick(words);
  const count = own.shown(locale.whole(rising.length));
  const median = quantile(
    rising.map((point) => Math.abs(errorOf(point))),
    0.5,
  );
  if (median === null) return count;
  const held = rising.filter((point) => point.held).length / rising.length;
  return `${count}; ${own.shownErrors(share(median, locale), locale.percent(held))}`;
}

export function filterSection(view: SpeedView) {
  const { locale, speed, filter, choose } = view;
  const own = locale.pick(words);
  const seen = new Set(speed.points.map(engineOf));
  const cards = [...new Set(speed.points.map(({ card }) => card))].sort();
  const all = (now: string) => option('', own.all, now);
  return html`<section class="accuracy-filters speed-filters" aria-labelledby="speed-filters-title">
    <h2 class="sr" id="speed-filters-title">${own.filters}</h2>
    ${menu(
      'speed-figure',
      own.figure,
      filter.figure,
      figures.map((figure) => option(figure, own.figures[figure], filter.figure)),
      (figure) => choose({ figure: figure as FigureName }),
    )}
    ${menu(
      'speed-engine',
      own.engine,
      filter.engine,
      html`${all(filter.engine)}
        ${engines
          .filter((engine) => seen.has(engine))
          .map((engine) => option(engine, engineName(engine), filter.engine))}`,
      (engine) => choose({ engine }),
    )}
    ${menu(
      'speed-kind',
      own.kind,
      filter.kind,
      html`${all(filter.kind)} ${kinds.map((kind) => option(kind, own.kinds[kind], filter.kind))}`,
      (kind) => choose({ kind }),
    )}
    ${menu(
      'speed-card',
      own.card,
      filter.card,
      html`${all(filter.card)}
        ${cards.map((card) => option(card, card.replaceAll('-', ' '), filter.card))}`,
      (card) => choose({ card }),
    )}
    <p class="accuracy-shown">
      <span role="status">${status(view)}</span>
      ${
        isNarrowed(filter)
          ? html`<button
              type="button"
              class="link"
              id="speed-clear"
              @click=${() => choose({ ...everySpeed, figure: filter.figure })}
            >
              ${own.clear}
            </button>`
          : nothing
      }
    </p>
  </section>`;
}
