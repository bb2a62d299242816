import { html, nothing } from 'lit-html';
import { short, size, whole } from '../format';
import { icon } from '../parts';
import type { Answer } from '../session';
import type { Report } from '../types';
import { partsTable } from './parts-table';

// What the model was read as, and what was taken for granted.

/** What told the size of the checkpoint. */
const sources: Record<string, string> = {
  given: 'as given',
  'safetensors index': 'by its safetensors index',
  'safetensors headers': 'by its safetensors headers',
  gguf: 'by its GGUF header',
};

/** The other kinds of attention go by their acronyms. */
const kinds: Record<string, string> = {
  hybrid: 'hybrid attention',
  ssm: 'a state in place of attention',
  encoder: 'an encoder alone',
  none: 'no attention',
};

function modelFacts({ model }: Report) {
  const billions = (count: number) =>
    count < 1e9
      ? `${whole(count / 1e6)} million`
      : `${short(Math.round(count / 1e7) / 100)} billion`;
  const facts = [
    model.parameters ? `${billions(model.parameters)} parameters` : '',
    model.moe && model.active_parameters
      ? `${billions(model.active_parameters)} active per token`
      : '',
    model.layers ? `${model.layers} layers` : '',
    model.attention ? (kinds[model.attention] ?? `${model.attention.toUpperCase()} attention`) : '',
    model.checkpoint_bytes
      ? `${size(model.checkpoint_bytes)} checkpoint (${sources[model.weights_source] ?? 'by the config'})`
      : '',
    model.max_context ? `up to ${whole(model.max_context)} tokens` : '',
  ];
  return facts.filter(Boolean).join(', ');
}

const list = (notes: string[]) => html`<ul class="prose">
  ${notes.map((note) => html`<li>${note}</li>`)}
</ul>`;

/** A guess is told apart from what is only taken for granted. */
const guess = (notes: string[]) => html`<div class="guess">
  <p>
    ${icon('warn')}
    <span><b>Assumed.</b> A part of this model had to be guessed; every number rests on it.</span>
  </p>
  ${notes.length > 0 ? list(notes) : nothing}
</div>`;

export function notesSection({ report }: Answer) {
  const { model } = report;
  const facts = modelFacts(report);
  const guessed = model.confidence === 'assumed';
  const about = model.notes ?? [];
  // A note on the model is an assumption too, and may come in both lists.
  const others = (report.assumptions ?? []).filter((note) => !about.includes(note));
  const notes = guessed ? others : [...about, ...others];
  return html`<section aria-labelledby="notes-title">
    <h3 id="notes-title">Assumptions and notes</h3>
    ${facts ? html`<p class="prose">The model was read as ${facts}.</p>` : nothing}
    ${guessed ? guess(about) : nothing} ${partsTable(report)}
    ${
      notes.length > 0
        ? list(notes)
        : guessed
          ? nothing
          : html`<p class="hint">Nothing was assumed.</p>`
    }
  </section>`;
}
