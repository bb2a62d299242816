import type { Formats, Lang } from '../../format';
import type { Locale } from '../../locale';

// The words of what stands below verdict and bar.

const en = (f: Formats) => ({
  speed: {
    use: (mfu: string, mbu: string, part: string) =>
      `The prompt reaches ${mfu} of the arithmetic peak, a step ${mbu} of the memory bandwidth; most of a step goes into ${part}.`,
    parts: {
      host: 'the processor beside the cards',
      linear: 'matrix products',
      attention: 'attention',
      experts: 'the experts',
      communication: 'the links between the cards',
      head: 'the logits',
      elementwise: 'norms and activations',
    } as Record<string, string>,
  },
  naive: {
    title: 'What a naive calculator says',
    naive: 'Naive',
    verdict: 'Verdict',
    fits: 'fits',
    fitsNot: 'does not fit',
    serves: 'serves',
    startsNot: 'does not start',
    noLimit: 'no limit',
    perToken: 'KV per token',
    nothing: 'nothing',
    state: 'State per request',
    why: 'Why it is wrong.',
  },
  advice: {
    title: 'What to change',
    waste: 'What is wasted',
    apply: 'Apply',
    applyLabel: (what: string) => `Apply: ${what}`,
    cost: 'Costs:',
    nothing: 'Nothing needs changing: all that is asked is served.',
  },
  notes: {
    title: 'Assumptions and notes',
    readAs: (facts: string) => `The model was read as ${facts}.`,
    assumed: 'Assumed.',
    guessed: 'A part of this model had to be guessed; every number rests on it.',
    nothing: 'Nothing was assumed.',
    parameters: (count: number) =>
      count < 1e9
        ? `${f.whole(count / 1e6)} million parameters`
        : `${f.short(Math.round(count / 1e7) / 100)} billion parameters`,
    active: (count: number) =>
      count < 1e9
        ? `${f.whole(count / 1e6)} million active per token`
        : `${f.short(Math.round(count / 1e7) / 100)} billion active per token`,
    layers: (count: number) =>
      `${f.whole(count)} ${f.plural(count, { one: 'layer', other: 'layers' })}`,
    attention: (kind: string) => `${kind} attention`,
    kinds: {
      hybrid: 'hybrid attention',
      ssm: 'a state in place of attention',
      encoder: 'an encoder alone',
      none: 'no attention',
    } as Record<string, string>,
    checkpoint: (size: string, source: string) => `${size} checkpoint (${source})`,
    sources: {
      given: 'as given',
      'safetensors index': 'by its safetensors index',
      'safetensors headers': 'by its safetensors headers',
      gguf: 'by its GGUF header',
      config: 'by the config',
    } as Record<string, string>,
    upTo: (tokens: number) => `up to ${f.whole(tokens)} tokens`,
  },
  parts: {
    title: 'Parameters by part',
    caption: 'Parameters by part, in millions',
    millions: 'Millions',
    total: 'Total',
    active: 'Active per token',
    apart: 'apart',
    all: 'All of these',
    mtp: 'Multi-token prediction',
    stored: (millions: string) => `The files hold ${millions} million elements.`,
    besides: (parts: string) => `A published total may count besides: ${parts}.`,
    tied: (millions: string) => `the tied output matrix (${millions})`,
    scales: (millions: string) => `scales (${millions})`,
    names: {
      embedding: 'Embedding',
      per_layer_embedding: 'Embedding of each layer',
      lm_head: 'Output matrix',
      attention: 'Attention',
      state_mixer: 'State layers',
      dense_ffn: 'Dense feed-forward',
      router: 'Router',
      experts: 'Experts',
      shared_experts: 'Shared experts',
      norms: 'Norms',
      encoder: 'Encoder',
      vision: 'Vision',
      audio: 'Audio',
    } as Record<string, string>,
  },
  accuracy: {
    title: 'How close it is',
    against: 'Against measured start-ups',
    scroll: 'Errors against measured start-ups',
    starts: 'Starts',
    median: 'Median error',
    nine: 'Nine in ten below',
    held: 'In the range',
    naive: 'Naive',
    weights: (engine: string) => `${engine}, weights`,
    pool: (engine: string) => `${engine}, KV pool`,
    tooFew: 'too few',
    hint: 'From config, card and flags alone. Starts whose source leaves one of them out are not counted; below ten starts no percentage is given.',
    all: 'Every measured start, computed here',
  },
});

export type BelowWords = ReturnType<typeof en>;

const ru = (f: Formats): BelowWords => ({
  speed: {
    use: (mfu, mbu, part) =>
      `Промпт достигает ${mfu} пиковой производительности, шаг — ${mbu} пропускной способности памяти; больше всего времени шага уходит на ${part}.`,
    parts: {
      host: 'процессор рядом с картами',
      linear: 'произведения матриц',
      attention: 'внимание',
      experts: 'экспертов',
      communication: 'связь между картами',
      head: 'логиты',
      elementwise: 'нормы и активации',
    },
  },
  naive: {
    title: 'Что скажет наивный калькулятор',
    naive: 'Наивный',
    verdict: 'Вердикт',
    fits: 'помещается',
    fitsNot: 'не помещается',
    serves: 'работает',
    startsNot: 'не запустится',
    noLimit: 'без предела',
    perToken: 'KV на токен',
    nothing: 'ничего',
    state: 'Состояние на запрос',
    why: 'Почему это неверно.',
  },
  advice: {
    title: 'Что изменить',
    waste: 'Что пропадает зря',
    apply: 'Применить',
    applyLabel: (what) => `Применить: ${what}`,
    cost: 'Цена:',
    nothing: 'Менять ничего не нужно: всё, что просят, обслуживается.',
  },
  notes: {
    title: 'Допущения и примечания',
    readAs: (facts) => `Модель прочитана так: ${facts}.`,
    assumed: 'По догадке.',
    guessed: 'Часть этой модели пришлось угадать; на ней держатся все числа.',
    nothing: 'Допущений нет.',
    parameters: (count) =>
      count < 1e9
        ? `${f.whole(count / 1e6)} млн параметров`
        : `${f.short(Math.round(count / 1e7) / 100)} млрд параметров`,
    active: (count) =>
      count < 1e9
        ? `${f.whole(count / 1e6)} млн активных на токен`
        : `${f.short(Math.round(count / 1e7) / 100)} млрд активных на токен`,
    layers: (count) =>
      `${f.whole(count)} ${f.plural(count, { one: 'слой', few: 'слоя', many: 'слоёв', other: 'слоя' })}`,
    attention: (kind) => `внимание ${kind}`,
    kinds: {
      hybrid: 'гибридное внимание',
      ssm: 'состояние вместо внимания',
      encoder: 'только кодировщик',
      none: 'без внимания',
    },
    checkpoint: (size, source) => `чекпойнт ${size} (${source})`,
    sources: {
      given: 'как указано',
      'safetensors index': 'по индексу safetensors',
      'safetensors headers': 'по заголовкам safetensors',
      gguf: 'по заголовку GGUF',
      config: 'по конфигу',
    },
    upTo: (tokens) => `до ${f.whole(tokens)} токенов`,
  },
  parts: {
    title: 'Параметры по частям',
    caption: 'Параметры по частям, миллионы',
    millions: 'Миллионы',
    total: 'Всего',
    active: 'Активных на токен',
    apart: 'отдельно',
    all: 'Всё вместе',
    mtp: 'Предсказание нескольких токенов',
    stored: (millions) => `В файлах ${millions} млн элементов.`,
    besides: (parts) => `В опубликованное число может входить ещё: ${parts}.`,
    tied: (millions) => `связанная выходная матрица (${millions})`,
    scales: (millions) => `масштабы (${millions})`,
    names: {
      embedding: 'Эмбеддинги',
      per_layer_embedding: 'Эмбеддинги каждого слоя',
      lm_head: 'Выходная матрица',
      attention: 'Внимание',
      state_mixer: 'Слои состояния',
      dense_ffn: 'Плотные FFN',
      router: 'Маршрутизатор',
      experts: 'Эксперты',
      shared_experts: 'Общие эксперты',
      norms: 'Нормировки',
      encoder: 'Кодировщик',
      vision: 'Зрение',
      audio: 'Звук',
    },
  },
  accuracy: {
    title: 'Насколько это точно',
    against: 'Против измеренных запусков',
    scroll: 'Ошибки против измеренных запусков',
    starts: 'Запусков',
    median: 'Медиана ошибки',
    nine: 'Девять из десяти ниже',
    held: 'В границах',
    naive: 'Наивный',
    weights: (engine) => `${engine}, веса`,
    pool: (engine) => `${engine}, пул KV`,
    tooFew: 'мало',
    hint: 'Только по конфигу, карте и флагам. Запуски, в источнике которых чего-то из этого нет, не учтены; если запусков меньше десяти, проценты не даются.',
    all: 'Все измеренные запуски, посчитанные здесь',
  },
});

const zh = (f: Formats): BelowWords => ({
  speed: {
    use: (mfu, mbu, part) =>
      `提示词达到算力峰值的 ${mfu}，一步达到显存带宽的 ${mbu}；一步中耗时最多的是${part}。`,
    parts: {
      host: '卡旁边的处理器',
      linear: '矩阵乘法',
      attention: '注意力',
      experts: '专家',
      communication: '卡间链路',
      head: '输出矩阵',
      elementwise: '归一化与激活',
    },
  },
  naive: {
    title: '简单计算器会怎么说',
    naive: '简单公式',
    verdict: '结论',
    fits: '放得下',
    fitsNot: '放不下',
    serves: '可以运行',
    startsNot: '无法启动',
    noLimit: '无限制',
    perToken: '每 token 的 KV',
    nothing: '无',
    state: '每请求状态',
    why: '错在哪里。',
  },
  advice: {
    title: '如何改进',
    waste: '浪费在哪里',
    apply: '应用',
    applyLabel: (what) => `应用：${what}`,
    cost: '代价：',
    nothing: '无需更改：所要求的都能满足。',
  },
  notes: {
    title: '假定与说明',
    readAs: (facts) => `模型读作：${facts}。`,
    assumed: '推测。',
    guessed: '此模型的一部分只能推测；所有数值都以此为基础。',
    nothing: '没有任何假定。',
    parameters: (count) =>
      count < 1e8
        ? `${f.whole(count / 1e4)} 万参数`
        : `${f.short(Math.round(count / 1e6) / 100)} 亿参数`,
    active: (count) =>
      count < 1e8
        ? `每 token 激活 ${f.whole(count / 1e4)} 万`
        : `每 token 激活 ${f.short(Math.round(count / 1e6) / 100)} 亿`,
    layers: (count) => `${f.whole(count)} 层`,
    attention: (kind) => `${kind} 注意力`,
    kinds: { hybrid: '混合注意力', ssm: '以状态代替注意力', encoder: '仅编码器', none: '无注意力' },
    checkpoint: (size, source) => `检查点 ${size}（${source}）`,
    sources: {
      given: '按给定值',
      'safetensors index': '按 safetensors 索引',
      'safetensors headers': '按 safetensors 文件头',
      gguf: '按 GGUF 文件头',
      config: '按配置',
    },
    upTo: (tokens) => `最长 ${f.whole(tokens)} token`,
  },
  parts: {
    title: '各部分参数量',
    caption: '各部分参数量，单位百万',
    millions: '百万',
    total: '总计',
    active: '每 token 激活',
    apart: '另计',
    all: '合计',
    mtp: '多 token 预测',
    stored: (millions) => `文件中有 ${millions} 百万个元素。`,
    besides: (parts) => `公布的总数可能还包括：${parts}。`,
    tied: (millions) => `绑定的输出矩阵（${millions}）`,
    scales: (millions) => `缩放系数（${millions}）`,
    names: {
      embedding: '嵌入',
      per_layer_embedding: '逐层嵌入',
      lm_head: '输出矩阵',
      attention: '注意力',
      state_mixer: '状态层',
      dense_ffn: '稠密前馈',
      router: '路由器',
      experts: '专家',
      shared_experts: '共享专家',
      norms: '归一化',
      encoder: '编码器',
      vision: '视觉',
      audio: '音频',
    },
  },
  accuracy: {
    title: '有多准确',
    against: '与实测启动相比',
    scroll: '与实测启动相比的误差',
    starts: '启动次数',
    median: '误差中位数',
    nine: '九成低于',
    held: '在范围内',
    naive: '简单公式',
    weights: (engine) => `${engine}，权重`,
    pool: (engine) => `${engine}，KV 池`,
    tooFew: '太少',
    hint: '仅凭配置、显卡和参数。来源缺少其中之一的启动不计入；少于十次时不给百分比。',
    all: '全部实测启动，在此现算',
  },
});

export const words: Record<Lang, (formats: Formats) => BelowWords> = { en, ru, zh };

const made = new WeakMap<Locale, BelowWords>();

export function belowWords(locale: Locale): BelowWords {
  const known = made.get(locale) ?? locale.pick(words)(locale);
  made.set(locale, known);
  return known;
}
