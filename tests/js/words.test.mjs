import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../web/src/format.ts';
import { words as below } from '../../web/src/rooms/below/words.ts';
import { en } from '../../web/src/words/en.ts';
import { ru } from '../../web/src/words/ru.ts';
import { zh } from '../../web/src/words/zh.ts';

// The page's own words: that each language says everything, and says it in itself.

const both = (lang, words) => ({ ...words(formatsOf(lang)), ...below[lang](formatsOf(lang)) });
const all = { en: both('en', en), ru: both('ru', ru), zh: both('zh', zh) };
const samples = [
  ['org/name', 'A100', 'vLLM', 8192],
  [1, 1, 1, 1],
  [12345, 12345, 12345, 12345],
];

/** Every text by its path; a function is called with words and with numbers. */
function texts(value, path = '') {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    return samples.map((given, at) => {
      try {
        return [`${path}(${at})`, String(value(...given))];
      } catch {
        return [`${path}(${at})`, 'not for this'];
      }
    });
  }
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
}

const said = Object.fromEntries(
  Object.entries(all).map(([lang, words]) => [lang, new Map(texts(words))]),
);

/** Names and units that are the same in every language. */
const sameEverywhere =
  /^(?:\.fields\.config|\.units\.|\.card\.|\.engine\.|\.parts\.|\.notes\.|\.naive\.)/;
/** What of a text is left when names, units and code are taken out. */
const bare = (text) =>
  text
    .replace(/ridgepoint|config\.json|model\.safetensors\.index\.json|\.?safetensors|\.?gguf/gi, '')
    .replace(
      /\b(?:vLLM|SGLang|CUDA|torch|GQA|FFN|KV|GiB|GB|MB|MiB|HTML|URL|GET|JSON|JavaScript|WebAssembly|Enter|Hub|Qwen\/Qwen3-8B|org\/name|A100|nvidia-smi|tokens?|FFN|batch|fit|K)\b/g,
      '',
    );

describe.each(['ru', 'zh'])('%s', (lang) => {
  test('says everything that English says', () => {
    expect([...said[lang].keys()]).toEqual([...said.en.keys()]);
    expect([...said[lang]].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('leaves nothing in English', () => {
    const left = [...said[lang]].filter(([path, text]) => {
      if (text === 'not for this') return false;
      if (sameEverywhere.test(path) && !/[a-z]{4,}/.test(bare(text))) return false;
      return /[a-z]{4,}/.test(bare(text));
    });
    expect(left).toEqual([]);
  });

  test('uses its own writing', () => {
    const script = lang === 'ru' ? /\p{Script=Cyrillic}/u : /\p{Script=Han}/u;
    const without = [...said[lang]].filter(
      ([, text]) => !script.test(text) && /\p{L}{3}/u.test(bare(text)) && text !== 'not for this',
    );
    expect(without).toEqual([]);
  });
});

test('numbers are written as the language writes them', () => {
  const tokens = (lang) => all[lang].load.readAs(32768);
  expect(tokens('en')).toBe('= 32,768 tokens');
  expect(tokens('ru').replace(/\s/g, ' ')).toBe('= 32 768 токенов');
  expect(tokens('zh')).toBe('= 32,768 个 token');
  expect(formatsOf('ru').gib.text(2 ** 29)).toBe('0,50');
  expect(formatsOf('ru').range({ low: 2 ** 29, high: 2 ** 30 }, formatsOf('ru').gib)).toBe(
    'от 0,50 до 1,00',
  );
});

test.each([
  [1, 'Помещается 1 запрос.'],
  [2, 'Помещаются 2 запроса.'],
  [5, 'Помещается 5 запросов.'],
  [21, 'Помещается 21 запрос.'],
])('Russian counts %d request(s)', (count, text) => {
  expect(all.ru.banner.spokenFit(count)).toBe(text);
});
