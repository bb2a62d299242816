import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Combobox, Option } from '../../combobox';
import { engineName } from '../../engine-name';
import { icon } from '../../parts';
import type { View } from '../../views/context';
import { makerName } from '../../views/setup';
import { keptFlags, loadOf, type Rank, type Typed, unreadable, type Wishes } from './query';
import type { FindWords } from './words';

// What the reader asks of the cards. The load itself is set with the other inputs of the page.

const counts = [1, 2, 4, 8, 16, 32, 64];

export interface Form {
  page: View;
  wishes: Wishes;
  words: FindWords;
  cards: Combobox;
  change(patch: Partial<Wishes>): void;
}

function typed({ wishes, words, change }: Form, field: Typed, label: string, unit: string) {
  const wrong = unreadable(wishes).includes(field);
  return html`<div class="field">
    <label for="find-${field}">${label}, <span class="unit">${unit}</span></label>
    <input
      id="find-${field}"
      type="text"
      inputmode="decimal"
      autocomplete="off"
      placeholder=${words.any}
      aria-invalid=${wrong ? 'true' : nothing}
      aria-describedby=${wrong ? `find-${field}-error` : nothing}
      .value=${live(wishes[field])}
      @input=${(event: Event) => change({ [field]: (event.target as HTMLInputElement).value })}
    />
    ${
      wrong
        ? html`<p class="error" id="find-${field}-error">
            ${icon('warn')}<span>${words.unreadable[field]}</span>
          </p>`
        : nothing
    }
  </div>`;
}

interface Choice {
  id: string;
  label: string;
  options: [string, string][];
  value: string;
  choose(value: string): void;
}

const choice = ({ id, label, options, value, choose }: Choice) => html`<div class="field">
    <label for="find-${id}">${label}</label>
    <select
      id="find-${id}"
      .value=${live(value)}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${options.map(
        ([key, word]) => html`<option value=${key} ?selected=${key === value}>${word}</option>`,
      )}
    </select>
  </div>`;

function cardList({ page, wishes, words, cards, change }: Form) {
  const known = page.catalogue.gpus;
  const options: Option[] = known.map((gpu) => ({
    value: gpu.id,
    label: gpu.name,
    hint: page.locale.size(gpu.total_bytes),
    group: makerName(gpu.vendor),
    search: `${gpu.vendor} ${gpu.aliases.join(' ')}`,
  }));
  const add = (value: string) => {
    if (!known.some(({ id }) => id === value) || wishes.cards.includes(value)) return;
    change({ cards: [...wishes.cards, value] });
  };
  const nameOf = (id: string) => known.find((gpu) => gpu.id === id)?.name ?? id;
  return html`<div class="field find-cards">
    <label for="find-card"
      >${words.cards} <span class="hint">${words.cardsHint}</span></label
    >
    ${cards.view({
      id: 'find-card',
      label: words.cards,
      options,
      value: '',
      invalid: false,
      describedBy: '',
      choose: add,
    })}
    ${
      wishes.cards.length > 0
        ? html`<ul class="find-chosen">
            ${wishes.cards.map(
              (id) => html`<li>
                <button
                  type="button"
                  aria-label=${words.remove(nameOf(id))}
                  @click=${() => change({ cards: wishes.cards.filter((one) => one !== id) })}
                >
                  ${nameOf(id)} ${icon('no')}
                </button>
              </li>`,
            )}
          </ul>`
        : nothing
    }
  </div>`;
}

/** The load in a sentence, and what of the setup is kept. */
function load({ page, words }: Form) {
  const { answer } = page.session;
  if (!answer) return nothing;
  const { locale } = page;
  const { context, concurrency, prompt, output } = {
    prompt: null,
    output: null,
    ...loadOf(answer),
  };
  const requests = locale.pick({
    en: `${locale.whole(concurrency)} ${locale.plural(concurrency, { one: 'request', other: 'requests' })}`,
    ru: `${locale.whole(concurrency)} ${locale.plural(concurrency, { one: 'запрос', few: 'запроса', many: 'запросов', other: 'запроса' })}`,
    zh: `${locale.whole(concurrency)} 个请求`,
  });
  const lengths =
    prompt !== null && output !== null
      ? words.lengths(locale.whole(Number(prompt)), locale.whole(Number(output)))
      : '';
  const stop = locale.lang === 'zh' ? '。' : '.';
  const kept = Object.keys(keptFlags(answer.request.engine.args)).length > 0;
  return html`<p class="hint prose">
    ${words.intro(requests, locale.whole(context))}${lengths}${stop} ${kept ? words.kept : nothing}
  </p>`;
}

export function form(options: Form): TemplateResult {
  const { page, wishes, words, change } = options;
  const { locale } = page;
  const own = page.session.answer?.report.engine.name ?? '';
  const makers = [...new Set(page.catalogue.gpus.map(({ vendor }) => vendor))];
  return html`${load(options)}
    <form class="find-form" @submit=${(event: Event) => event.preventDefault()}>
      <fieldset>
        <legend>${words.goals}</legend>
        <div class="find-fields">
          ${typed(options, 'ttft', words.ttft, 'ms')} ${typed(options, 'tpot', words.tpot, 'ms')}
          ${typed(options, 'budget', words.budget, words.perHour)}
          ${choice({
            id: 'rank',
            label: words.rank,
            options: Object.entries(words.ranks),
            value: wishes.rank,
            choose: (rank) => change({ rank: rank as Rank }),
          })}
        </div>
      </fieldset>
      <fieldset>
        <legend>${words.limits}</legend>
        <div class="find-fields">
          ${choice({
            id: 'most',
            label: words.most,
            options: counts.map((count) => [String(count), locale.whole(count)]),
            value: String(wishes.most),
            choose: (most) => change({ most: Number(most) }),
          })}
          ${choice({
            id: 'engines',
            label: words.engines,
            options: [
              ['own', engineName(own)],
              ['all', words.allEngines],
            ],
            value: wishes.allEngines ? 'all' : 'own',
            choose: (value) => change({ allEngines: value === 'all' }),
          })}
          ${choice({
            id: 'formats',
            label: words.formats,
            options: [
              ['own', words.ownFormat],
              ['any', words.anyFormat],
            ],
            value: wishes.anyFormat ? 'any' : 'own',
            choose: (value) => change({ anyFormat: value === 'any' }),
          })}
          ${
            wishes.cards.length > 0
              ? nothing
              : choice({
                  id: 'vendor',
                  label: words.vendor,
                  options: [
                    ['', words.allCards],
                    ...makers.map((id): [string, string] => [id, makerName(id)]),
                  ],
                  value: wishes.vendor,
                  choose: (vendor) => change({ vendor }),
                })
          }
          ${cardList(options)}
        </div>
        ${wishes.anyFormat ? html`<p class="hint prose">${words.formatCost}</p>` : nothing}
      </fieldset>
    </form>`;
}
