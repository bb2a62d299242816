import { nothing, type TemplateResult } from 'lit-html';

// A lit-html template as HTML, for what of lit-html the page's first drawing uses: no events, and of
// the properties those that an attribute stands for.

const isTemplate = (value: unknown): value is TemplateResult =>
  typeof value === 'object' && value !== null && '_$litType$' in value;

/** What a directive like `live` was given to show. */
function shownBy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('_$litDirective$' in value)) return value;
  const { values } = value as unknown as { values: unknown[] };
  if (values.length !== 1) throw new Error('a directive that the build cannot write');
  return values[0];
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const isEmpty = (value: unknown) => value === nothing || value === null || value === undefined;

/** The attribute that a value is all of, at the end of what is written: `@click=`, `.value=`. */
const WHOLE = /\s([.?@]?)([\w:-]+)=$/;

function attribute(element: string, kind: string, name: string, value: unknown): string {
  // A select's choice is told by its options, and what a text area holds by its content.
  const written =
    kind === '@' || (kind === '.' && (element !== 'input' || value === ''))
      ? nothing
      : kind === '?' || name === 'checked'
        ? value
          ? ''
          : nothing
        : value;
  return isEmpty(written) ? '' : ` ${name}="${escaped(String(written))}"`;
}

function contentText(value: unknown): string {
  if (Array.isArray(value)) return value.map(contentText).join('');
  if (isTemplate(value)) return templateText(value);
  if (typeof value === 'object' && value !== null) throw new Error('content that is no text');
  return isEmpty(value) ? '' : escaped(String(value));
}

export function templateText({ strings, values }: TemplateResult): string {
  let text = '';
  let tag = '';
  for (const [i, string] of strings.entries()) {
    const plain = string.replaceAll(/\s+/g, ' ');
    text += plain;
    tag += plain;
    if (i === values.length) break;
    const value = shownBy(values[i]);
    const at = tag.lastIndexOf('<');
    if (at <= tag.lastIndexOf('>')) {
      text += contentText(value);
      continue;
    }
    const [whole, kind = '', name = ''] = WHOLE.exec(text) ?? [];
    if (whole === undefined) {
      text += isEmpty(value) ? '' : escaped(String(value));
      continue;
    }
    const element = /^<([\w-]+)/.exec(tag.slice(at))?.[1] ?? '';
    text = text.slice(0, -whole.length) + attribute(element, kind, name, value);
  }
  return text;
}
