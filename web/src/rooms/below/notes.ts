import { html, nothing } from 'lit-html';
import type { Locale } from '../../locale';
import { icon } from '../../parts';
import type { Answer } from '../../session';
import type { Report } from '../../types';
import type { View } from '../../views/context';
import { partsTable } from './parts-table';
import { belowWords } from './words';

// What the model was read as, and what was taken for granted.

function modelFacts(locale: Locale, { model }: Report) {
  const { size } = locale;
  const told = belowWords(locale).notes;
  const facts = [
    model.parameters ? told.parameters(model.parameters) : '',
    model.moe && model.active_parameters ? told.active(model.active_parameters) : '',
    model.layers ? told.layers(model.layers) : '',
    model.attention
      ? (told.kinds[model.attention] ?? told.attention(model.attention.toUpperCase()))
      : '',
    model.checkpoint_bytes
      ? told.checkpoint(
          size(model.checkpoint_bytes),
          told.sources[model.weights_source] ?? told.sources.config ?? '',
        )
      : '',
    model.max_context ? told.upTo(model.max_context) : '',
  ];
  return facts.filter(Boolean).join(', ');
}

const list = ({ core }: Locale, notes: string[]) => html`<ul class="prose">
  ${notes.map((note) => html`<li>${core(note)}</li>`)}
</ul>`;

/** A guess is told apart from what is only taken for granted. */
const guess = (locale: Locale, notes: string[]) => html`<div class="guess">
  <p>
    ${icon('warn')}
    <span><b>${belowWords(locale).notes.assumed}</b> ${belowWords(locale).notes.guessed}</span>
  </p>
  ${notes.length > 0 ? list(locale, notes) : nothing}
</div>`;

export function notesSection({ locale }: View, { report }: Answer) {
  const { model } = report;
  const told = belowWords(locale).notes;
  const facts = modelFacts(locale, report);
  const guessed = model.confidence === 'assumed';
  const about = model.notes ?? [];
  // A note on the model is an assumption too, and may come in both lists.
  const others = (report.assumptions ?? []).filter((note) => !about.includes(note));
  const notes = guessed ? others : [...about, ...others];
  return html`<section aria-labelledby="notes-title">
    <h3 id="notes-title">${told.title}</h3>
    ${facts ? html`<p class="prose">${told.readAs(facts)}</p>` : nothing}
    ${guessed ? guess(locale, about) : nothing} ${partsTable(locale, report)}
    ${
      notes.length > 0
        ? list(locale, notes)
        : guessed
          ? nothing
          : html`<p class="hint">${told.nothing}</p>`
    }
  </section>`;
}
