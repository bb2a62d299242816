/**
 * Turns a sentence of the core into another language by templates.
 *
 * A template is a sentence with slots: `{n}` a number, `{s}` a size with its unit, `{w}` one word that
 * stays as it is, `{v}` a name or value that stays as it is, `{x}` any text that does, `{p}` a phrase that has a template of its own,
 * `{l}` a list of such phrases. `[s]` is an ending that may be there. Its translation names the slots
 * by their place: `{0}`, or `{0|one|few|many}` for a word in the form that the number in slot 0 wants.
 */
export type Templates = Record<string, string>;

/** What the matcher has to know of a language beside its templates. */
export interface Rules {
  /** Text between two sentences. */
  between: string;
  /** What ends a sentence. */
  stop: string;
  /** Separators of lists, by those of English. */
  separators: Record<string, string>;
  number(digits: string): string;
  /** A unit after a number, as the number wants it. */
  unit(unit: string, digits: string): string;
  /** Which of a word's forms a number wants. */
  form(digits: string): number;
}

type SlotKind = 'n' | 's' | 'w' | 'v' | 'x' | 'p' | 'l';

interface Template {
  literals: string[];
  kinds: SlotKind[];
  translation: string;
  /** The longest literal and the last one, as quick tests. */
  hint: string;
  end: string;
  weight: number;
  pattern?: RegExp;
}

const NUMBER = String.raw`[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?`;
const UNIT = '(?:GiB|MiB|KiB|bytes?)';
const SLOTS: Record<SlotKind, string> = {
  n: `(${NUMBER})`,
  s: `(${NUMBER} ${UNIT})`,
  w: String.raw`(\S*[^\s.,;:])`,
  v: '((?:(?!; |\\. | instead of | with )[^])*?(?<![.,;:]))',
  x: '([^]*?)',
  p: '([^]+?)',
  l: '([^]+?)',
};
const SLOT = /\{([nswvxpl])\}/;
const PLACE = /\{(\d)((?:\|[^|{}]*)*)\}/g;
const SIZE = new RegExp(`^(${NUMBER}) (${UNIT})$`);
// Sums such as "14.959 GiB + 2 x 8 bytes = 15 GiB" hold no word but units.
const EXPRESSION = new RegExp(`${NUMBER}(?: ${UNIT})?`, 'g');
const WORDLESS = /^(?:[^a-z]|GiB|MiB|KiB|bytes?|\bx\b|\bmax\b|\bmin\b)*$/i;
const LIST = /(, and |, or |, | and | or |; )/;
const SENTENCE_END = /[.!?](?=\s+)/g;
const LONGEST_LIST = 1000;
const MOST_REMEMBERED = 2000;

const lengthOf = (parts: string[]) => parts.reduce((sum, part) => sum + part.length, 0);

function parse(source: string, translation: string): Template {
  const pieces = source.split(SLOT);
  const literals = pieces.filter((_, at) => at % 2 === 0);
  const hint = literals
    .flatMap((literal) => literal.split(/\[e?s\]/))
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  return {
    literals,
    kinds: pieces.filter((_, at) => at % 2 === 1) as SlotKind[],
    translation,
    hint,
    end: literals.at(-1)?.replace(/^.*\[e?s\]/, '') ?? '',
    weight: lengthOf(literals),
  };
}

const escaped = (literal: string) =>
  literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\[(e?s)\\\]/g, '(?:$1)?');

function patternOf(template: Template): RegExp {
  template.pattern ??= new RegExp(
    `^${template.literals.map((literal, at) => escaped(literal) + (at < template.kinds.length ? SLOTS[template.kinds[at] as SlotKind] : '')).join('')}$`,
  );
  return template.pattern;
}

/** The word at the front of a text, where it is sure to be there whatever a slot holds. */
function firstWord(text: string): string {
  return /^[^\s{[]+(?=\s)/.exec(text)?.[0] ?? '';
}

/** Flags, ids and paths read the same in every language. */
export function isCode(text: string): boolean {
  if (/^(?:[a-z]+(?:-[a-z]+)+|--\S+ \S+)$/.test(text)) return true;
  return text
    .split(' ')
    .every((word) => /^--?[a-z]/i.test(word) || /[\d_/=@[\]{}"'A-Z]|\w\.\w/.test(word));
}

export class Matcher {
  private readonly plain = new Map<string, string>();
  private readonly byWord = new Map<string, Template[]>();
  /** Those that begin with a slot, and of them those that may end in a character. */
  private readonly others: Template[] = [];
  private readonly byEnd = new Map<string, Template[]>();
  private readonly remembered = new Map<string, string | undefined>();

  constructor(
    templates: Templates,
    private readonly rules: Rules,
  ) {
    for (const [source, translation] of Object.entries(templates)) this.add(source, translation);
    for (const list of [...this.byWord.values(), this.others])
      list.sort((a, b) => b.weight - a.weight);
  }

  /** The text in the other language; `undefined` where a part of it has no template. */
  translate(text: string): string | undefined {
    const known = this.remembered.get(text);
    if (known !== undefined || this.remembered.has(text)) return known;
    // A phrase that is being worked on is no part of itself.
    this.remembered.set(text, undefined);
    const found = this.atom(text) ?? this.sentences(text) ?? this.shortList(text);
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(text, found);
    return found;
  }

  private atom(text: string): string | undefined {
    return this.wordless(text) ?? this.whole(text) ?? this.withStop(text);
  }

  private add(source: string, translation: string) {
    if (!SLOT.test(source) && !/\[e?s\]/.test(source)) {
      this.plain.set(source, translation);
      return;
    }
    const template = parse(source, translation);
    const word = firstWord(source);
    if (word === '') {
      this.others.push(template);
      return;
    }
    const list = this.byWord.get(word);
    if (list) list.push(template);
    else this.byWord.set(word, [template]);
  }

  private whole(text: string): string | undefined {
    const plain = this.plain.get(text);
    if (plain !== undefined) return plain;
    const beginning = this.byWord.get(firstWord(text));
    return (beginning && this.among(beginning, text)) ?? this.among(this.endingAs(text), text);
  }

  private endingAs(text: string): Template[] {
    const last = text.at(-1) ?? '';
    let list = this.byEnd.get(last);
    if (!list) {
      list = this.others.filter(({ end }) => end === '' || end.endsWith(last));
      this.byEnd.set(last, list);
    }
    return list;
  }

  private among(templates: Template[], text: string): string | undefined {
    for (const template of templates) {
      if (!text.endsWith(template.end) || !text.includes(template.hint)) continue;
      const found = patternOf(template).exec(text);
      const filled = found && this.fill(template, found.slice(1));
      if (filled != null) return filled;
    }
    return undefined;
  }

  private fill(template: Template, values: string[]): string | undefined {
    const told: string[] = [];
    for (const [at, value] of values.entries()) {
      const text = this.slot(template.kinds[at] as SlotKind, value);
      if (text === undefined) return undefined;
      told.push(text);
    }
    return template.translation.replace(PLACE, (_, place: string, forms: string) => {
      const at = Number(place);
      if (forms === '') return told[at] ?? '';
      const words = forms.slice(1).split('|');
      return words[Math.min(this.rules.form(values[at] ?? ''), words.length - 1)] ?? '';
    });
  }

  private slot(kind: SlotKind, value: string): string | undefined {
    switch (kind) {
      case 'n':
        return this.rules.number(value);
      case 's':
        return this.size(value);
      case 'p':
        return this.phrase(value);
      case 'l':
        return this.list(value);
      default:
        return value;
    }
  }

  private size(value: string): string {
    const [, digits = '', unit = ''] = SIZE.exec(value) ?? [];
    return `${this.rules.number(digits)} ${this.rules.unit(unit, digits)}`;
  }

  private phrase(value: string): string | undefined {
    return this.translate(value) ?? (isCode(value) ? value : undefined);
  }

  private list(value: string): string | undefined {
    return this.phrase(value) ?? this.joined(value);
  }

  private joined(value: string): string | undefined {
    const pieces = value.split(LIST);
    const told: string[] = [];
    for (let from = 0; from < pieces.length; ) {
      const run = this.longestRun(pieces, from);
      if (run === undefined) return undefined;
      told.push(run.told);
      const separator = pieces[run.end];
      if (separator !== undefined) told.push(this.rules.separators[separator] ?? separator);
      from = run.end + 1;
    }
    return told.join('');
  }

  /** A separator may belong to a phrase: what has a template as a whole is not cut. */
  private longestRun(pieces: string[], from: number): { told: string; end: number } | undefined {
    for (let end = pieces.length; end > from; end -= 2) {
      const text = pieces.slice(from, end).join('');
      const told = this.atom(text) ?? (end === from + 1 && isCode(text) ? text : undefined);
      if (told !== undefined) return { told, end };
    }
    return undefined;
  }

  /** A sentence stands in some places with its full stop and in others without. */
  private withStop(text: string): string | undefined {
    if (text.endsWith('.')) {
      const found = this.whole(text.slice(0, -1));
      return found === undefined ? undefined : found + this.rules.stop;
    }
    const found = this.whole(`${text}.`);
    return found?.endsWith(this.rules.stop) ? found.slice(0, -this.rules.stop.length) : undefined;
  }

  private wordless(text: string): string | undefined {
    if (!WORDLESS.test(text) || !/\d/.test(text)) return undefined;
    return text.replace(EXPRESSION, (part) =>
      SIZE.test(part) ? this.size(part) : this.rules.number(part),
    );
  }

  private shortList(text: string): string | undefined {
    return text.length < LONGEST_LIST && LIST.test(text) ? this.joined(text) : undefined;
  }

  private sentences(text: string): string | undefined {
    for (const end of [...text.matchAll(SENTENCE_END)].reverse()) {
      const at = end.index + 1;
      const front = this.translate(text.slice(0, at));
      if (front === undefined) continue;
      const rest = this.phrase(text.slice(at).trimStart());
      if (rest !== undefined)
        return front + (front.endsWith(this.rules.stop) ? this.rules.between : ' ') + rest;
    }
    return undefined;
  }
}
