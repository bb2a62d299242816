// The page in Russian and Chinese: every sentence of the core has a template, and every template a
// sound translation.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'ridgepoint';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreText, loadCoreText, loadFlagHelp } from '../../web/src/core-text/core-text.ts';
import { Matcher } from '../../web/src/core-text/matcher.ts';
import { coreSentences } from './support/core-sentences.mjs';

const PARTS = ['answers', 'steps', 'inputs', 'load', 'library', 'flags'];
const LANGS = ['ru', 'zh'];
const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const part = (lang, name) => readJson(`../../web/src/core-text/${lang}/${name}.json`);
const templates = Object.fromEntries(
  LANGS.map((lang) => [lang, Object.assign({}, ...PARTS.map((name) => part(lang, name)))]),
);
/** One real sentence for each template that questions of `core-sentences.mjs` can bring about. */
const SENTENCES = readJson('support/core-sentences.json');

const slotsOf = (template) => template.match(/\{[nswvxpl]\}/g) ?? [];
const placesOf = (translation) => [...translation.matchAll(/\{(\d)(?:\|[^|{}]*)*\}/g)];
const untold = (tell, texts) => texts.filter((text) => tell(text).lang === 'en');

describe('the templates', () => {
  it('are the same ones in every language and part', () => {
    for (const name of PARTS) {
      expect(Object.keys(part('zh', name))).toEqual(Object.keys(part('ru', name)));
    }
    const count = PARTS.reduce((sum, name) => sum + Object.keys(part('ru', name)).length, 0);
    expect(Object.keys(templates.ru)).toHaveLength(count);
  });

  it.each(LANGS)('use each slot in %s, and none that is not there', (lang) => {
    const wrong = Object.entries(templates[lang]).filter(([source, translation]) => {
      const used = new Set(placesOf(translation).map(([, place]) => Number(place)));
      return used.size !== slotsOf(source).length || Math.max(-1, ...used) >= used.size;
    });
    expect(wrong).toEqual([]);
  });

  it('have three forms of a Russian word, and one of a Chinese', () => {
    const forms = (lang) =>
      Object.values(templates[lang])
        .flatMap(placesOf)
        .map(([place]) => place.split('|').length - 1)
        .filter((count) => count > 0);
    expect(new Set(forms('ru'))).toEqual(new Set([3]));
    expect(forms('zh')).toEqual([]);
  });

  it('choose the form by a number or a size', () => {
    const wrong = Object.entries(templates.ru).filter(([source, translation]) =>
      placesOf(translation).some(
        ([place, at]) => place.includes('|') && slotsOf(source)[Number(at)] !== '{n}',
      ),
    );
    expect(wrong).toEqual([]);
  });

  it.each(LANGS)('end in %s with a full stop where the sentence does', (lang) => {
    const stop = lang === 'ru' ? '.' : '。';
    const wrong = Object.entries(templates[lang]).filter(
      ([source, translation]) => source.endsWith('.') !== translation.endsWith(stop),
    );
    expect(wrong).toEqual([]);
  });

  it.each(LANGS)('leave no English words in %s but names that are in the sentence too', (lang) => {
    const wrong = Object.entries(templates[lang]).filter(([source, translation]) => {
      const words = translation.match(/[A-Za-z][A-Za-z'-]{2,}/g) ?? [];
      return words.some((word) => !isName(word, source));
    });
    expect(wrong).toEqual([]);
  });

  it('are written in their own letters', () => {
    const prose = (text) => /[a-z]{3,} [a-z]{3,} [a-z]{3,}/.test(text);
    const wrong = (lang, letters) =>
      Object.entries(templates[lang]).filter(
        ([source, translation]) =>
          prose(source) &&
          !letters.test(translation) &&
          /[a-z]{4}/.test(translation) &&
          !isFormula(source),
      );
    expect(wrong('ru', /[а-яё]/i)).toEqual([]);
    expect(wrong('zh', /\p{Script=Han}/u)).toEqual([]);
  });
});

/** Names of the field stay: of files, flags, settings, products and things that go by them. */
const FIELD = new Set(
  (
    'token tokens bit logits rank worker int max min round clamp ceil safetensors pickle float ' +
    'float16 prefill manager shell attention sink patch talker thinker thinking lightning softmax ' +
    'throughput Hub KiB MiB GiB RoPE Metal null true false compose gated delta infill'
  ).split(' '),
);
function isName(word, source) {
  const name = word.replace(/[-']+$/, '');
  return (
    FIELD.has(name) ||
    source.toLowerCase().includes(name.toLowerCase()) ||
    /[A-Z].*[A-Z]/.test(name)
  );
}
const isFormula = (source) => /^[\w.]+(?: [-+x/] [\w.]+)+$/.test(source);

describe('what the core says', () => {
  let said;
  beforeAll(async () => {
    said = await coreSentences(await load());
  }, 300_000);

  it.each(LANGS)(
    'all has a template in %s',
    (lang) => {
      const tell = coreText(lang, templates[lang]);
      const missing = untold(tell, [...said.keys()]);
      expect(missing.map((text) => `${said.get(text)}: ${text}`)).toEqual([]);
    },
    300_000,
  );

  it.runIf(process.env.KEEP_SENTENCES)(
    'is kept, a sentence for each template',
    () => {
      const kept = JSON.stringify(oneForEachTemplate([...said.keys()]), null, 2);
      writeFileSync(new URL('support/core-sentences.json', import.meta.url), `${kept}\n`);
    },
    300_000,
  );
});

/** As few of the texts as use every template that all of them use; flags' helps are no sentences. */
function oneForEachTemplate(texts) {
  const used = [];
  class Watched extends Matcher {
    whole(text) {
      if (this.plain.has(text)) used.push(text);
      return super.whole(text);
    }
    fill(template, values) {
      const told = super.fill(template, values);
      if (told !== undefined) used.push(template);
      return told;
    }
  }
  const helps = part('ru', 'flags');
  const sentences = Object.entries(templates.ru).filter(([source]) => !(source in helps));
  const matcher = new Watched(Object.fromEntries(sentences), { ...RUSSIAN });
  const seen = new Set();
  const kept = texts.filter((text) => {
    used.length = 0;
    matcher.remembered.clear();
    if (matcher.translate(text.trim()) === undefined) return false;
    const fresh = used.filter((template) => !seen.has(template));
    for (const template of fresh) seen.add(template);
    return fresh.length > 0;
  });
  return kept.sort();
}
const same = (text) => text;
const RUSSIAN = {
  between: ' ',
  stop: '.',
  separators: {},
  number: same,
  unit: same,
  form: () => 0,
};

describe('the kept sentences', () => {
  it.each(LANGS)('are told in %s', (lang) => {
    const tell = coreText(lang, templates[lang]);
    expect(untold(tell, SENTENCES)).toEqual([]);
  });

  it('are missed when a template is taken away', () => {
    const source = 'Starts, and holds {n} request[s] of {n} tokens at once.';
    const { [source]: taken, ...rest } = templates.ru;
    expect(taken).toBeDefined();
    const missed = untold(coreText('ru', rest), SENTENCES);
    expect(missed.some((text) => /^Starts, and holds [\d,]+ requests? of/.test(text))).toBe(true);
  });
});

describe('a sentence', () => {
  const ru = coreText('ru', templates.ru);
  const zh = coreText('zh', templates.zh);

  it('has numbers, words and units as the language writes them', () => {
    const text = 'Starts, and holds 1,234 to 5,001 requests of 8,192 tokens at once.';
    expect(ru(text)).toEqual({
      lang: 'ru',
      text: 'Запустится и держит одновременно от 1\u00a0234 до 5\u00a0001 запросов по 8\u00a0192 токена.',
    });
    expect(zh(text).text).toBe('可以启动，能同时容纳 1,234 至 5,001 个 8,192 token 的请求。');
    expect(ru('The cache has 14.959 GiB of a GPU, before 512 bytes.').text).toBe(
      'Кэшу достаётся 14,959 GiB на GPU, было 512 байт.',
    );
    expect(ru('14.959 GiB - 3 x 2.5 GiB').text).toBe('14,959 GiB - 3 x 2,5 GiB');
  });

  it.each([
    ['1', 'запрос'],
    ['2', 'запроса'],
    ['5', 'запросов'],
    ['11', 'запросов'],
    ['21', 'запрос'],
    ['1,002', 'запроса'],
  ])('has the form of a word that %s wants', (count, word) => {
    expect(
      ru(`${count} ${count === '1' ? 'request' : 'requests'}`)
        .text.split(' ')
        .at(-1),
    ).toBe(word);
  });

  it('keeps code as it is', () => {
    for (const text of ['--max-model-len 8192', 'fp8', 'NVIDIA H100', 'vLLM 0.28.0', 'kv_pool']) {
      expect(ru(text)).toEqual({ text, lang: 'ru' });
    }
    expect(ru('--kv-cache-dtype fp8 and --tensor-parallel-size 2 on 4 cards').text).toBe(
      '--kv-cache-dtype fp8 и --tensor-parallel-size 2 на 4 картах',
    );
  });

  it('that nobody knows stays English, and is said to', () => {
    const text = 'Something that no core has ever said about 3 cards.';
    expect(ru(text)).toEqual({ text, lang: 'en' });
    expect(zh(`${text} Left out.`).lang).toBe('en');
  });

  it('of several is put together from its parts', () => {
    const text = 'Left out. Its value is not in the text: $A is set nowhere. Left out.';
    expect(ru(text).text).toBe(
      'Пропущено. Его значения в тексте нет: $A нигде не задана. Пропущено.',
    );
    expect(zh(text).text).toBe('已略去。文本中没有它的值：$A 未在任何地方设置。已略去。');
  });
});

describe('reasons in a row', () => {
  const why =
    'TP 2 instead of 1 GPU; by the rules of vLLM 0.28.0 instead of 0.11.0; of which dense ffn ' +
    '4.03 GiB more, attention 1.13 GiB more';

  it('are told one by one, and no English is left in a slot', () => {
    expect(coreText('ru', templates.ru)(why).text).toBe(
      'TP 2 вместо 1 GPU; по правилам vLLM 0.28.0 вместо 0.11.0; в том числе плотный FFN на ' +
        '4,03 GiB больше, внимание на 1,13 GiB больше',
    );
    expect(coreText('zh', templates.zh)(why).text).toBe(
      'TP 2，而不是 1 个 GPU；按 vLLM 0.28.0 而非 0.11.0 的规则；其中 稠密 FFN 多 4.03 GiB、注意力 多 1.13 GiB',
    );
  });
});

describe('loading', () => {
  it('gives back English as it is', async () => {
    const tell = await loadCoreText('en');
    expect(tell('Left out.')).toEqual({ text: 'Left out.', lang: 'en' });
  });

  it('brings helps of flags only where they are asked for', async () => {
    const help = 'How many GPUs share each layer.';
    expect((await loadCoreText('ru'))(help).lang).toBe('en');
    expect((await loadFlagHelp('ru'))(help)).toEqual({
      text: 'Сколько GPU делят каждый слой.',
      lang: 'ru',
    });
    expect((await loadCoreText('zh'))('Left out.').text).toBe('已略去。');
  });
});
