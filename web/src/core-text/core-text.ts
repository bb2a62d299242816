/**
 * The core and the library around it write English. Here their sentences become Russian or Chinese, by the
 * templates of `ru/` and `zh/`, which are loaded when they are first wanted.
 *
 * Words that are always the same:
 *   weights            веса                     权重
 *   KV cache, KV pool  KV-кэш, пул KV           KV 缓存、KV 池
 *   card, GPU          карта, GPU               显卡、GPU
 *   engine             движок                   引擎
 *   requests at once   запросы одновременно     并发请求
 *   context, length    контекст, длина          上下文、长度
 *   token              токен                    token
 *   activations        активации                激活
 *   CUDA graphs        графы CUDA               CUDA 图
 *   checkpoint         чекпойнт                 检查点
 *   tensor parallel    параллелизм тензоров     张量并行
 *   rank, stage        ранг, ступень            rank、流水线阶段
 *   replica            реплика                  副本
 *   state (recurrent)  (рекуррентное) состояние （循环）状态
 *   window             окно                     窗口
 *   latent attention   латентное внимание       潜在注意力 (MLA)
 *   profile, dry run   пробный прогон           试运行
 *   claim              доля движка, заявка      引擎申请的显存
 *   draft              черновик                 草稿模型
 *   quantise           квантовать               量化
 */
import { isCode, Matcher, type Rules, type Templates } from './matcher';

export type Lang = 'en' | 'ru' | 'zh';
export interface Told {
  text: string;
  /** The language that the text is in: English where there is no template. */
  lang: Lang;
}
export type CoreText = (text: string) => Told;

const digitsToNumber = (digits: string) => Number(digits.replaceAll(',', ''));

function russian(): Rules {
  const plural = new Intl.PluralRules('ru');
  const places: Partial<Record<Intl.LDMLPluralRule, number>> = {
    one: 0,
    few: 1,
    many: 2,
    other: 1,
  };
  const form = (digits: string) => places[plural.select(Math.abs(digitsToNumber(digits)))] ?? 2;
  return {
    between: ' ',
    stop: '.',
    separators: { ' and ': ' и ', ', and ': ' и ', ' or ': ' или ', ', or ': ' или ' },
    number: (digits) => digits.replaceAll(',', '\u00a0').replace('.', ',').replace(/^-/, '\u2212'),
    unit: (unit, digits) =>
      unit.startsWith('byte') ? (form(digits) === 1 ? 'байта' : 'байт') : unit,
    form,
  };
}

const chinese = (): Rules => ({
  between: '',
  stop: '。',
  separators: {
    ', ': '、',
    ' and ': ' 和 ',
    ', and ': ' 和 ',
    ' or ': ' 或 ',
    ', or ': ' 或 ',
    '; ': '；',
  },
  number: (digits) => digits.replace(/^-/, '\u2212'),
  unit: (unit) => (unit.startsWith('byte') ? '字节' : unit),
  form: () => 0,
});

const RULES = { ru: russian, zh: chinese };
type Loader = () => Promise<{ default: Templates }>;

/**
 * What is said of an answer, of its steps, of what was pasted, and of a load, and what the library says of what it
 * could not fetch or read; each is a file for its size.
 */
const SENTENCES: Record<'ru' | 'zh', Loader[]> = {
  ru: [
    () => import('./ru/answers.json'),
    () => import('./ru/steps.json'),
    () => import('./ru/inputs.json'),
    () => import('./ru/load.json'),
    () => import('./ru/library.json'),
  ],
  zh: [
    () => import('./zh/answers.json'),
    () => import('./zh/steps.json'),
    () => import('./zh/inputs.json'),
    () => import('./zh/load.json'),
    () => import('./zh/library.json'),
  ],
};
const FLAGS: Record<'ru' | 'zh', Loader> = {
  ru: () => import('./ru/flags.json'),
  zh: () => import('./zh/flags.json'),
};

export function coreText(lang: 'ru' | 'zh', templates: Templates): CoreText {
  const matcher = new Matcher(templates, RULES[lang]());
  return (text) => {
    const told = matcher.translate(text.trim()) ?? (isCode(text) ? text : undefined);
    return told === undefined ? { text, lang: 'en' } : { text: told, lang };
  };
}

async function load(lang: Lang, loaders: (lang: 'ru' | 'zh') => Loader[]): Promise<CoreText> {
  if (lang === 'en') return (text) => ({ text, lang });
  const parts = await Promise.all(loaders(lang).map((part) => part()));
  return coreText(lang, Object.assign({}, ...parts.map((part) => part.default)));
}

/** What puts sentences of the core into a language. */
export const loadCoreText = (lang: Lang): Promise<CoreText> => load(lang, (at) => SENTENCES[at]);

/**
 * The same, with the helps and defaults of the engines' flags besides: for lists of flags, and for
 * the notes on a command, which quote them.
 */
export const loadFlagHelp = (lang: Lang): Promise<CoreText> =>
  load(lang, (at) => [...SENTENCES[at], FLAGS[at]]);
