import { html, type TemplateResult } from 'lit-html';
import { type Formats, formatsOf, type Lang } from './format';
import { en, type Words } from './words/en';

export type { Lang } from './format';

// What the page says in the reader's language. English is always at hand; the others are loaded when chosen.

/** A sentence of the core in the reader's language, or as it came where that is not known. */
export type CoreText = (text: string) => { text: string; lang: Lang };

export interface Locale extends Formats {
  /** The page's own words. */
  words: Words;
  /** A room's own words. */
  pick<T>(three: Record<Lang, T>): T;
  /** A sentence of the core for the page, marked where it stays English. */
  core(text: string): TemplateResult | string;
  /** The same without any mark, for a tooltip or a live region. */
  plainCore(text: string): string;
}

/** What the page itself wrote passes for a sentence of the core in places, and is in these letters. */
const ownLetters: Record<Lang, RegExp> = { en: /^/, ru: /[а-яё]/i, zh: /\p{Script=Han}/u };
const asItIs: CoreText = (text) => ({ text, lang: 'en' });

const loaders: Record<Lang, () => Promise<(formats: Formats) => Words>> = {
  en: async () => en,
  ru: async () => (await import('./words/ru')).ru,
  zh: async () => (await import('./words/zh')).zh,
};

function localeOf(lang: Lang, words: (formats: Formats) => Words, coreText: CoreText): Locale {
  const formats = formatsOf(lang);
  return {
    ...formats,
    words: words(formats),
    pick: (three) => three[lang],
    core: (text) => {
      const said = coreText(text);
      const ours = said.lang === lang || ownLetters[lang].test(said.text);
      return ours ? said.text : html`<span lang=${said.lang}>${said.text}</span>`;
    },
    plainCore: (text) => coreText(text).text,
  };
}

export async function loadLocale(lang: Lang): Promise<Locale> {
  return localeOf(lang, await loaders[lang](), asItIs);
}

/** The same with the sentences of the core, which are many and come after the first answer. */
export async function loadWholeLocale(lang: Lang): Promise<Locale> {
  const { loadFlagHelp } = await import('./core-text/core-text');
  return localeOf(lang, await loaders[lang](), await loadFlagHelp(lang));
}
