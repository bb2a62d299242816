import type { Formats, Lang } from '../format';

// What the widget says besides the page's own words.

export interface WidgetWords {
  wait: string;
  requests(count: number, f: Formats): string;
  ofTokens(tokens: number, f: Formats): string;
  notBuiltIn(id: string): string;
  notHere: string;
  noModel: string;
  noCard: string;
  missing: string;
  forbidden: string;
  failed: string;
  open: string;
  openHint: string;
  form: string;
  figures: string;
  perToken: string;
  tokensInPool: string;
  newest: string;
}

export const words: Record<Lang, WidgetWords> = {
  en: {
    wait: 'Working it out…',
    requests: (count, f) => f.plural(count, { one: 'request at once', other: 'requests at once' }),
    ofTokens: (tokens, f) => `of ${f.whole(tokens)} tokens`,
    notBuiltIn: (id) =>
      `${id} is not one of the built-in models, and this calculator fetches nothing. Give a built-in model, or a config.json by the config property.`,
    notHere:
      'This calculator knows the usual architectures and formats, and this model or setup is of another: the whole page of ridgepoint may know it.',
    noModel: 'No model is given: a built-in one such as meta-llama/Meta-Llama-3-8B.',
    noCard: 'No such card. Give one, such as h100-sxm-80gb or h100-sxm-80gb:2.',
    missing:
      'This browser has no WebAssembly, or has it switched off, so nothing can be computed here.',
    forbidden:
      'The security policy of this page forbids WebAssembly, so nothing can be computed here. Its Content-Security-Policy needs script-src with ‘wasm-unsafe-eval’.',
    failed: 'The calculator did not start.',
    open: 'Open in ridgepoint',
    openHint: 'opens the whole calculator with this setup',
    form: 'Setup',
    figures: 'Figures',
    perToken: 'KV cache of one token',
    tokensInPool: 'KV pool in tokens',
    newest: 'newest',
  },
  ru: {
    wait: 'Идёт расчёт…',
    requests: (count, f) =>
      f.plural(count, {
        one: 'запрос одновременно',
        few: 'запроса одновременно',
        many: 'запросов одновременно',
        other: 'запроса одновременно',
      }),
    ofTokens: (tokens, f) =>
      `по ${f.whole(tokens)} ${f.plural(tokens, { one: 'токену', few: 'токена', many: 'токенов', other: 'токена' })}`,
    notBuiltIn: (id) =>
      `Модели ${id} нет среди встроенных, а этот калькулятор ничего не загружает. Укажите встроенную модель или передайте config.json через свойство config.`,
    notHere:
      'Этот калькулятор знает обычные архитектуры и форматы, а эта модель или настройка к ним не относится: возможно, её знает полная страница ridgepoint.',
    noModel: 'Модель не указана: нужна одна из встроенных, например meta-llama/Meta-Llama-3-8B.',
    noCard: 'Нет такой карты. Укажите, например, h100-sxm-80gb или h100-sxm-80gb:2.',
    missing: 'В этом браузере нет WebAssembly или он отключён, поэтому расчёт здесь невозможен.',
    forbidden:
      'Политика безопасности этой страницы запрещает WebAssembly, поэтому расчёт здесь невозможен. В её Content-Security-Policy нужен script-src с ‘wasm-unsafe-eval’.',
    failed: 'Калькулятор не запустился.',
    open: 'Открыть в ridgepoint',
    openHint: 'откроет весь калькулятор с этими параметрами',
    form: 'Параметры',
    figures: 'Показатели',
    perToken: 'KV-кэш одного токена',
    tokensInPool: 'Пул KV в токенах',
    newest: 'новейшая',
  },
  zh: {
    wait: '正在计算…',
    requests: () => '个并发请求',
    ofTokens: (tokens, f) => `每个 ${f.whole(tokens)} token`,
    notBuiltIn: (id) =>
      `${id} 不在内置模型之中，本计算器不会联网获取。请使用内置模型，或通过 config 属性提供 config.json。`,
    notHere: '本计算器只含常见的架构和格式，此模型或配置不在其中：ridgepoint 的完整页面或许支持。',
    noModel: '未指定模型：请给出一个内置模型，例如 meta-llama/Meta-Llama-3-8B。',
    noCard: '没有这种显卡，请给出如 h100-sxm-80gb 或 h100-sxm-80gb:2。',
    missing: '此浏览器没有 WebAssembly 或已将其关闭，因此无法在这里计算。',
    forbidden:
      '本页的安全策略禁止 WebAssembly，因此无法在这里计算。其 Content-Security-Policy 的 script-src 需要包含 ‘wasm-unsafe-eval’。',
    failed: '计算器未能启动。',
    open: '在 ridgepoint 中打开',
    openHint: '用此配置打开完整的计算器',
    form: '配置',
    figures: '数值',
    perToken: '每个 token 的 KV 缓存',
    tokensInPool: 'KV 池的 token 数',
    newest: '最新',
  },
};
