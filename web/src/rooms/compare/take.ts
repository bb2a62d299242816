import { html } from 'lit-html';
import type { CompareAnswer, ExportQuery } from 'ridgepoint';
import type { Planner } from '../../planner';
import type { View } from '../../views/context';
import { setupLine } from '../../views/verdict';
import type { Side } from './sides';
import type { CompareWords } from './words';

// The comparison as a file or in the clipboard.

type Form = Extract<ExportQuery['format'], 'csv' | 'markdown'>;

const forms: [Form, string, string, string][] = [
  ['markdown', 'Markdown', 'md', 'text/markdown'],
  ['csv', 'CSV', 'csv', 'text/csv'],
];

/** Outside the page "A" and "B" say nothing: the labels tell what they are. */
const labelled = (answer: CompareAnswer, sides: readonly Side[], { locale }: View) => ({
  ...answer,
  setups: answer.setups.map((setup, index) => {
    const told = sides[index]?.session.answer;
    return told ? { ...setup, label: `${setup.label}: ${setupLine(locale, told)}` } : setup;
  }),
});

function save(text: string, name: string, type: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  // The browser still reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function takeSection(
  page: View,
  planner: Planner,
  answer: CompareAnswer,
  sides: readonly Side[],
  own: CompareWords,
) {
  const told = own.take;
  const written = (format: Form) =>
    planner.exportAnswer({
      answer: labelled(answer, sides, page),
      format,
      ...(format === 'csv' ? { table: 'terms' } : {}),
    });
  return html`<section aria-labelledby="compare-take">
    <h3 id="compare-take">${told.title}</h3>
    <p class="buttons">
      ${forms.map(
        ([format, name, ending, type]) => html`<button
            type="button"
            @click=${async () => page.actions.copy(`${told.name}, ${name}`, await written(format))}
          >
            ${told.copy(name)}
          </button>
          <button
            type="button"
            @click=${async () => save(await written(format), `ridgepoint-comparison.${ending}`, type)}
          >
            ${told.save(name)}
          </button>`,
      )}
    </p>
  </section>`;
}
