/**
 * The core writes English. Here its sentences become Russian or Chinese, by the templates of `ru.json`
 * and `zh.json`, which are loaded when they are first wanted.
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

/** The templates and rules of a language, without those of flags. */
const LANGUAGES = {
  ru: { rules: russian, templates: () => import('./ru.json') },
  zh: { rules: chinese, templates: () => import('./zh.json') },
};
const HELPS = { ru: () => import('./flags-ru.json'), zh: () => import('./flags-zh.json') };

export function coreText(lang: 'ru' | 'zh', templates: Templates): CoreText {
  const matcher = new Matcher(templates, LANGUAGES[lang].rules());
  return (text) => {
    const told = matcher.translate(text.trim()) ?? (isCode(text) ? text : undefined);
    return told === undefined ? { text, lang: 'en' } : { text: told, lang };
  };
}

/** What puts sentences of the core into a language. */
export async function loadCoreText(lang: Lang): Promise<CoreText> {
  if (lang === 'en') return (text) => ({ text, lang });
  return coreText(lang, (await LANGUAGES[lang].templates()).default);
}

/**
 * The same, with the helps of the engines' flags besides: for lists of flags, and for the notes on a
 * command, which quote them.
 */
export async function loadFlagHelp(lang: Lang): Promise<CoreText> {
  if (lang === 'en') return (text) => ({ text, lang });
  const [templates, helps] = await Promise.all([LANGUAGES[lang].templates(), HELPS[lang]()]);
  return coreText(lang, { ...templates.default, ...helps.default });
}
