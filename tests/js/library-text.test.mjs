// The page in Russian and Chinese: every message that the library writes has a template.
import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCoreText } from '../../web/src/core-text/core-text.ts';
import { librarySentences } from './support/library-sentences.mjs';

const LIBRARY = new URL('../../wasm/lib/', import.meta.url);
/** Files with no message for the page: what only Node does, and what only a program is told. */
const UNSHOWN = ['badge.mjs', 'core.mjs', 'flags.mjs', 'local-files.mjs'];
const LANGS = ['ru', 'zh'];

/** Texts of a file that hold words: of a text with values in it, what stands between them. */
function proseIn(source) {
  const found = [];
  const walk = (node) => {
    if (node === null || typeof node !== 'object') return;
    // Words to be split and what a text may begin with are no messages.
    const called = node.type === 'CallExpression' ? node.callee.property?.name : '';
    if (called === 'split' || called === 'startsWith') return;
    if (node.type === 'Literal' && typeof node.value === 'string') found.push([node.value]);
    if (node.type === 'TemplateLiteral') found.push(node.quasis.map(({ value }) => value.cooked));
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(source));
  return found.filter((parts) => parts.some((part) => /[a-z]+,? [a-z]+/i.test(part)));
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patternOf = (parts) => new RegExp(parts.map(escaped).join('[^]*'));

describe('what the library says', () => {
  let said;
  beforeAll(async () => {
    said = await librarySentences();
  });

  it('is said by every call', () => {
    expect(said.filter((messages) => !messages?.length)).toEqual([]);
  });

  it.each(LANGS)('all has a template in %s', async (lang) => {
    const tell = await loadCoreText(lang);
    expect(said.flat().filter((text) => tell(text).lang === 'en')).toEqual([]);
  });

  it('is all that is written in its files', () => {
    const files = readdirSync(LIBRARY).filter(
      (name) => name.endsWith('.mjs') && !UNSHOWN.includes(name),
    );
    const unsaid = files.flatMap((name) =>
      proseIn(readFileSync(new URL(name, LIBRARY), 'utf8'))
        .filter((parts) => !said.flat().some((text) => patternOf(parts).test(text)))
        .map((parts) => `${name}: ${parts.join('…')}`),
    );
    expect(unsaid).toEqual([]);
  });
});

describe('a message', () => {
  it('keeps addresses and what the browser says, and writes numbers as the language does', async () => {
    const ru = await loadCoreText('ru');
    expect(
      ru('https://a.b/c.json did not answer within 0.1 s. Try again, or paste the config.json.'),
    ).toEqual({
      lang: 'ru',
      text: 'https://a.b/c.json не ответил за 0,1 с. Попробуйте ещё раз или вставьте config.json.',
    });
    const zh = await loadCoreText('zh');
    const parsing = "Expected ',' or '}' after property value in JSON at position 7";
    expect(
      zh(
        `The config.json is not valid JSON (${parsing}). Check that the whole file was copied, from { to }.`,
      ).text,
    ).toBe(`config.json 不是有效的 JSON（${parsing}）。请检查是否复制了整个文件，从 { 到 }。`);
  });

  it('within a note is told too, and what nobody knows leaves the note English', async () => {
    const ru = await loadCoreText('ru');
    const note = (why) => ru(`hf_quant_config.json was not read: ${why}`);
    expect(note('This device is offline. Connect it, or paste the config.json.').text).toBe(
      'hf_quant_config.json не прочитан: Это устройство не в сети. Подключите его или вставьте config.json.',
    );
    expect(note('Something that nobody says of a file.').lang).toBe('en');
  });
});
