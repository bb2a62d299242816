import type { Lang } from '../../locale';
import type { SpeedOrder } from './filter';
import type { FigureName, Group, Kind } from './groups';

export interface SpeedWords {
  intro: string;
  figures: Record<FigureName, string>;
  groups: Record<Group, string>;
  kinds: Record<Kind, string>;

  summary: string;
  summaryHint: string;
  group: string;
  rows: string;
  median: string;
  bias: string;
  nine: string;
  held: string;
  roofline: string;
  original: string;
  fit: string;
  check: string;
  halfRows(count: string): string;
  few: string;

  filters: string;
  figure: string;
  engine: string;
  kind: string;
  card: string;
  all: string;
  clear: string;
  shown(count: string): string;
  shownErrors(median: string, held: string): string;
  none: string;

  picture: string;
  pictureOf(figure: string): string;
  chart: {
    measured: string;
    predicted: string;
    bound: string;
    difference: string;
    which: string;
  };
  tableFirst(shown: string, all: string): string;

  list: string;
  columns: Record<SpeedOrder, string>;
  sortBy(column: string): string;
  load(input: string, output: string): string;
  users(count: string): string;
  tokensPerSecond: string;
  source: string;
  noAddress: string;
  open: string;
  openLabel(what: string): string;
  openHint: string;
  more(count: string): string;

  honest: string;
  honestLines: string[];

  leftOut: string;
  leftOutText(left: string, rows: string): string;
  reason: string;
  reasons: Record<string, string>;
  own: string;
}

const en: SpeedWords = {
  intro:
    'Measured runs with a public source, each simulated with the same model, card, engine and load. Every figure here was worked out when this page was made.',
  figures: {
    tpot: 'Time per output token',
    ttft: 'Time to the first token',
    output_tok_s: 'Output tokens per second',
  },
  groups: {
    'data centre, dense': 'Data-centre cards, dense models',
    'data centre, mixtures': 'Data-centre cards, mixtures of experts',
    'one workstation card, dense': 'One workstation card, dense models',
    'one workstation card, mixtures': 'One workstation card, mixtures of experts',
    'SGLang, dense': 'SGLang, dense models',
    'SGLang, mixtures': 'SGLang, mixtures of experts',
    'llama.cpp': 'llama.cpp',
    'others, dense': 'Other cards and old versions, dense models',
    'others, mixtures': 'Other cards and old versions, mixtures of experts',
  },
  kinds: { dense: 'dense', moe: 'mixture of experts' },

  summary: 'How close the speeds are',
  summaryHint:
    'Errors are shares of what was measured: without a sign, except for the bias, where + means predicted too high. The last four columns are medians: of two simpler methods on the same runs, and of ours on the two halves. Groups of fewer than four runs are left out. The table covers all runs, whatever is chosen below.',
  group: 'Group',
  rows: 'Runs',
  median: 'Median error',
  bias: 'Bias',
  nine: 'Nine in ten below',
  held: 'Held by the range',
  roofline: 'Plain roofline',
  original: 'Usual formulas',
  fit: 'Fitted half',
  check: 'Checked half',
  halfRows: (count) => `${count} runs`,
  few: '–',

  filters: 'Which runs',
  figure: 'Figure',
  engine: 'Engine',
  kind: 'Kind of model',
  card: 'Card',
  all: 'all',
  clear: 'Show all',
  shown: (count) => `${count} runs shown`,
  shownErrors: (median, held) => `median error ${median}, held by the range ${held}`,
  none: 'No run is of this kind. Widen the choice above.',

  picture: 'Predicted against measured speeds',
  pictureOf: (figure) => `${figure}: predicted against measured`,
  chart: {
    measured: 'Measured',
    predicted: 'Predicted',
    bound: '10 % off',
    difference: 'Difference',
    which: 'Run',
  },
  tableFirst: (shown, all) => `The first ${shown} of ${all}, by what was measured.`,

  list: 'Run by run',
  columns: {
    setup: 'Setup',
    load: 'Load',
    measured: 'Measured',
    predicted: 'Predicted',
    error: 'Error',
  },
  sortBy: (column) => `Sort by ${column}`,
  load: (input, output) => `${input} in, ${output} out`,
  users: (count) => `${count} at once`,
  tokensPerSecond: 'tokens/s',
  source: 'Source',
  noAddress: 'no address',
  open: 'Open',
  openLabel: (what) => `Open in the calculator: ${what}`,
  openHint:
    '"Open" takes model, cards, engine and lengths into the calculator; the weights are in the format of the model’s config, which need not be the one that was run.',
  more: (count) => `Show ${count} more`,

  honest: 'How to read these figures',
  honestLines: [
    'Runs of one configuration (engine, version, model, card, format, ranks) go together into one of two halves. Constants were fitted on one half and checked on the other.',
    'The halves are not fully independent: how wide the ranges are, and what the host costs, was chosen with both in view.',
    'Rows that contradict themselves are left out, each with its reason.',
    'Nothing was fitted for llama.cpp.',
    'The first-token times of mixtures of experts on SGLang are predicted too low.',
  ],

  leftOut: 'Which speeds are left out, and why',
  leftOutText: (left, rows) => `${left} of ${rows} rows are left out.`,
  reason: 'Reason',
  reasons: {
    memory: 'By the memory rules the setup does not start',
    layout: 'The cards cannot be divided as the row says',
    rates: 'The speed of the card or of the format on it is not known',
    refused: 'Not simulated for another reason',
    tier: 'The source is too weak',
    config: 'No config of the model at hand',
    engine: 'The engine is not modelled',
    card: 'The card is not known',
    weights: 'The format of the weights is not at hand',
    load: 'The source does not tell the load',
    figure: 'No figure that is compared',
    contradicts: 'Contradicts itself or a run beside it, or was run otherwise than it says',
  },
  own: 'The reason of each such row',
};

const ru: SpeedWords = {
  intro:
    'Измеренные прогоны с публичным источником; каждый просимулирован с той же моделью, картой, движком и нагрузкой. Все цифры здесь посчитаны при сборке страницы.',
  figures: {
    tpot: 'Время на токен вывода',
    ttft: 'Время до первого токена',
    output_tok_s: 'Токенов вывода в секунду',
  },
  groups: {
    'data centre, dense': 'Серверные карты, плотные модели',
    'data centre, mixtures': 'Серверные карты, смеси экспертов',
    'one workstation card, dense': 'Одна карта рабочей станции, плотные модели',
    'one workstation card, mixtures': 'Одна карта рабочей станции, смеси экспертов',
    'SGLang, dense': 'SGLang, плотные модели',
    'SGLang, mixtures': 'SGLang, смеси экспертов',
    'llama.cpp': 'llama.cpp',
    'others, dense': 'Прочие карты и старые версии, плотные модели',
    'others, mixtures': 'Прочие карты и старые версии, смеси экспертов',
  },
  kinds: { dense: 'плотная', moe: 'смесь экспертов' },

  summary: 'Насколько точны скорости',
  summaryHint:
    'Ошибка — доля от измеренного: без знака, кроме смещения, где + значит, что расчёт завышен. Последние четыре столбца — медианы: двух более простых способов на тех же прогонах и нашего на двух половинах. Группы меньше чем из четырёх прогонов не показаны. Таблица охватывает все прогоны, что бы ни было выбрано ниже.',
  group: 'Группа',
  rows: 'Прогонов',
  median: 'Медиана ошибки',
  bias: 'Смещение',
  nine: 'Девять из десяти ниже',
  held: 'В диапазоне',
  roofline: 'Простой roofline',
  original: 'Обычные формулы',
  fit: 'Половина подгонки',
  check: 'Половина проверки',
  halfRows: (count) => `прогонов: ${count}`,
  few: '–',

  filters: 'Какие прогоны',
  figure: 'Величина',
  engine: 'Движок',
  kind: 'Вид модели',
  card: 'Карта',
  all: 'все',
  clear: 'Показать все',
  shown: (count) => `Показано прогонов: ${count}`,
  shownErrors: (median, held) => `медиана ошибки ${median}, в диапазоне ${held}`,
  none: 'Таких прогонов нет. Расширьте выбор выше.',

  picture: 'Расчёт скорости против измерений',
  pictureOf: (figure) => `${figure}: расчёт против измерений`,
  chart: {
    measured: 'Измерено',
    predicted: 'Расчёт',
    bound: 'отклонение 10 %',
    difference: 'Разница',
    which: 'Прогон',
  },
  tableFirst: (shown, all) => `Первые ${shown} из ${all} по измеренному значению.`,

  list: 'Прогон за прогоном',
  columns: {
    setup: 'Конфигурация',
    load: 'Нагрузка',
    measured: 'Измерено',
    predicted: 'Расчёт',
    error: 'Ошибка',
  },
  sortBy: (column) => `Сортировать: ${column}`,
  load: (input, output) => `${input} на входе, ${output} на выходе`,
  users: (count) => `одновременно: ${count}`,
  tokensPerSecond: 'токенов/с',
  source: 'Источник',
  noAddress: 'без адреса',
  open: 'Открыть',
  openLabel: (what) => `Открыть в калькуляторе: ${what}`,
  openHint:
    '«Открыть» переносит в калькулятор модель, карты, движок и длины; веса — в формате из конфига модели, а он может отличаться от того, с которым шёл прогон.',
  more: (count) => `Показать ещё ${count}`,

  honest: 'Как читать эти цифры',
  honestLines: [
    'Прогоны одной конфигурации (движок, версия, модель, карта, формат, ранги) целиком попадают в одну из двух половин. Константы подогнаны на одной половине и проверены на другой.',
    'Половины не вполне независимы: ширина диапазонов и затраты хоста выбраны с оглядкой на обе.',
    'Строки, которые противоречат сами себе, исключены, каждая со своей причиной.',
    'Для llama.cpp ничего не подгонялось.',
    'Время до первого токена смесей экспертов на SGLang в расчёте занижено.',
  ],

  leftOut: 'Какие скорости исключены и почему',
  leftOutText: (left, rows) => `Исключено строк: ${left} из ${rows}.`,
  reason: 'Причина',
  reasons: {
    memory: 'По правилам памяти такая конфигурация не запускается',
    layout: 'Карты нельзя разделить так, как сказано в строке',
    rates: 'Скорость карты или формата на ней неизвестна',
    refused: 'Не просимулировано по другой причине',
    tier: 'Источник слишком слабый',
    config: 'Нет конфига модели',
    engine: 'Движок не моделируется',
    card: 'Карта неизвестна',
    weights: 'Формата весов нет в наличии',
    load: 'Источник не называет нагрузку',
    figure: 'Нет ни одной сравниваемой величины',
    contradicts: 'Противоречит себе или соседнему прогону либо запускалось не так, как сказано',
  },
  own: 'Причина каждой такой строки',
};

const zh: SpeedWords = {
  intro:
    '有公开来源的实测运行，每次都以相同的模型、显卡、引擎和负载进行模拟。这里的数字都在构建此页时算好。',
  figures: {
    tpot: '每个输出 token 的时间',
    ttft: '首个 token 的时间',
    output_tok_s: '每秒输出 token 数',
  },
  groups: {
    'data centre, dense': '数据中心显卡，稠密模型',
    'data centre, mixtures': '数据中心显卡，混合专家模型',
    'one workstation card, dense': '单张工作站显卡，稠密模型',
    'one workstation card, mixtures': '单张工作站显卡，混合专家模型',
    'SGLang, dense': 'SGLang，稠密模型',
    'SGLang, mixtures': 'SGLang，混合专家模型',
    'llama.cpp': 'llama.cpp',
    'others, dense': '其他显卡与旧版本，稠密模型',
    'others, mixtures': '其他显卡与旧版本，混合专家模型',
  },
  kinds: { dense: '稠密', moe: '混合专家' },

  summary: '速度有多准',
  summaryHint:
    '误差是相对实测值的比例，不计正负；偏差除外，+ 表示预测偏高。最后四列是中位数：两种更简单的方法在相同运行上的误差，以及本工具在两半数据上的误差。少于四次运行的组不列出。此表涵盖全部运行，与下面的选择无关。',
  group: '组',
  rows: '运行数',
  median: '误差中位数',
  bias: '偏差',
  nine: '九成低于',
  held: '在区间内',
  roofline: '单纯 roofline',
  original: '常用公式',
  fit: '拟合的一半',
  check: '检验的一半',
  halfRows: (count) => `${count} 次运行`,
  few: '–',

  filters: '选择运行',
  figure: '项目',
  engine: '引擎',
  kind: '模型类型',
  card: '显卡',
  all: '全部',
  clear: '显示全部',
  shown: (count) => `显示 ${count} 次运行`,
  shownErrors: (median, held) => `误差中位数 ${median}，在区间内 ${held}`,
  none: '没有这样的运行，请放宽上面的条件。',

  picture: '速度：预测对实测',
  pictureOf: (figure) => `${figure}：预测对实测`,
  chart: {
    measured: '实测',
    predicted: '预测',
    bound: '相差 10 %',
    difference: '差异',
    which: '运行',
  },
  tableFirst: (shown, all) => `按实测值排列的前 ${shown} 项，共 ${all} 项。`,

  list: '逐次运行',
  columns: {
    setup: '配置',
    load: '负载',
    measured: '实测',
    predicted: '预测',
    error: '误差',
  },
  sortBy: (column) => `排序：${column}`,
  load: (input, output) => `输入 ${input}，输出 ${output}`,
  users: (count) => `并发 ${count}`,
  tokensPerSecond: 'token/s',
  source: '来源',
  noAddress: '没有地址',
  open: '打开',
  openLabel: (what) => `在计算器中打开：${what}`,
  openHint:
    '“打开”会把模型、显卡、引擎和长度带入计算器；权重采用模型 config 中的格式，可能与实际运行的不同。',
  more: (count) => `再显示 ${count} 次`,

  honest: '如何看待这些数字',
  honestLines: [
    '同一配置（引擎、版本、模型、显卡、格式、并行数）的运行整体归入两半之一。常数在一半上拟合，在另一半上检验。',
    '两半并非完全独立：区间宽度和主机开销是看着两半选定的。',
    '自相矛盾的行被排除，并各附原因。',
    '没有为 llama.cpp 拟合任何常数。',
    'SGLang 上混合专家模型的首 token 时间预测偏低。',
  ],

  leftOut: '哪些速度被排除，为什么',
  leftOutText: (left, rows) => `共 ${rows} 行，其中 ${left} 行被排除。`,
  reason: '原因',
  reasons: {
    memory: '按显存规则，该配置无法启动',
    layout: '显卡无法按该行所说划分',
    rates: '显卡或其上该格式的速度未知',
    refused: '因其他原因未模拟',
    tier: '来源太弱',
    config: '没有模型的 config',
    engine: '未建模的引擎',
    card: '未知的显卡',
    weights: '没有该权重格式',
    load: '来源没有说明负载',
    figure: '没有可比较的项目',
    contradicts: '自相矛盾、与相邻运行矛盾，或实际运行方式与所说不同',
  },
  own: '这些行各自的原因',
};

export const words: Record<Lang, SpeedWords> = { en, ru, zh };
