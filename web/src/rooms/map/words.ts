import type { CurveWords } from '../../charts/curve';
import type { Fit } from '../../charts/heat-grid';
import type { Lang } from '../../locale';

export interface MapWords {
  title: string;
  intro: string;
  modes: string;
  byLoad: string;
  byFormat: string;
  /** Titles of the two grids. */
  loadTitle: string;
  formatTitle(asked: string): string;
  /** What the number in a cell is. */
  loadHint: string;
  formatHint: string;
  pickHint: string;
  context: string;
  requests: string;
  format: string;
  fits: Record<Fit, string>;
  /** One cell in full. */
  cell(setup: string, fit: string, holds: string): string;
  load(requests: string, context: string): string;
  holds(count: string, range: string): string;
  limit(term: string): string;
  /** Of a checkpoint with one row alone. */
  oneFormat: string;
  curveTitle: string;
  curveIntro: string;
  curve: CurveWords;
  capped(term: string): string;
  nothing(limit: string): string;
  waiting: string;
  failed: string;
  none: string;
}

const en: MapWords = {
  title: 'What fits',
  intro: 'The same model, cards and engine at other lengths, loads and weight formats.',
  modes: 'Compare context with',
  byLoad: 'requests at once',
  byFormat: 'weight formats',
  loadTitle: 'What fits: requests at once by context',
  formatTitle: (asked) => `What fits: weight format by context, for ${asked} at once`,
  loadHint: 'In a cell: how many more requests would fit; − how many are too many.',
  formatHint: 'In a cell: how many requests fit at once.',
  pickHint: 'Choose a cell to take it over.',
  context: 'Context, tokens',
  requests: 'Requests at once',
  format: 'Weights',
  fits: {
    ample: 'Fits with room',
    tight: 'Fits, just',
    short: 'Starts, but some requests wait',
    never: 'Does not start',
    void: 'Not possible',
  },
  cell: (setup, fit, holds) => `${setup}: ${fit}. ${holds}`,
  load: (requests, context) => `${requests} at once, ${context} tokens each`,
  holds: (count, range) => `${count} fit at once${range ? ` (${range})` : ''}.`,
  limit: (term) => `Limited by: ${term}.`,
  oneFormat: 'A checkpoint that is quantised already comes in its own format alone.',
  curveTitle: 'Requests at once by context',
  curveIntro:
    'How many requests fit as they get longer, and what the usual formula (card minus weights) says instead.',
  curve: {
    context: 'Context, tokens',
    requests: 'Requests at once',
    best: 'Requests that fit',
    range: 'Range',
    naive: 'Usual formula',
    load: (count) => `${count} asked for`,
    point: (context, best, range, naive) =>
      `${context} tokens: ${best} at once${range ? ` (${range})` : ''}; usual formula ${naive}.`,
  },
  capped: (term) =>
    `Where the line is flat, the engine’s own limit holds it, not the memory: ${term}.`,
  nothing: (limit) => `Nothing fits at any length, so there is no curve. Limited by: ${limit}.`,
  waiting: 'Computing…',
  failed: 'This could not be computed.',
  none: 'Give a model and a card first: the map is of the answer above.',
};

const ru: MapWords = {
  title: 'Что поместится',
  intro: 'Та же модель, карты и движок при других длинах, нагрузке и форматах весов.',
  modes: 'Сравнить контекст с',
  byLoad: 'числом запросов',
  byFormat: 'форматом весов',
  loadTitle: 'Что поместится: запросы одновременно по контексту',
  formatTitle: (asked) => `Что поместится: формат весов по контексту, нагрузка ${asked}`,
  loadHint: 'В ячейке: сколько запросов ещё поместится; − сколько лишних.',
  formatHint: 'В ячейке: сколько запросов поместится одновременно.',
  pickHint: 'Выберите ячейку, чтобы взять её настройки.',
  context: 'Контекст, токенов',
  requests: 'Запросов одновременно',
  format: 'Веса',
  fits: {
    ample: 'Помещается с запасом',
    tight: 'Помещается впритык',
    short: 'Запустится, но часть запросов ждёт',
    never: 'Не запустится',
    void: 'Невозможно',
  },
  cell: (setup, fit, holds) => `${setup}: ${fit}. ${holds}`,
  load: (requests, context) => `${requests} одновременно, по ${context} токенов`,
  holds: (count, range) => `Одновременно помещается ${count}${range ? ` (${range})` : ''}.`,
  limit: (term) => `Ограничивает: ${term}.`,
  oneFormat: 'Уже квантованный чекпоинт есть только в своём формате.',
  curveTitle: 'Запросы одновременно по контексту',
  curveIntro:
    'Сколько запросов помещается, когда они длиннее, и что вместо этого даёт обычная формула (карта минус веса).',
  curve: {
    context: 'Контекст, токенов',
    requests: 'Запросов одновременно',
    best: 'Помещается запросов',
    range: 'Диапазон',
    naive: 'Обычная формула',
    load: (count) => `нужно: ${count}`,
    point: (context, best, range, naive) =>
      `${context} токенов: ${best} одновременно${range ? ` (${range})` : ''}; обычная формула: ${naive}.`,
  },
  capped: (term) => `Где линия ровная, предел задаёт сам движок, а не память: ${term}.`,
  nothing: (limit) =>
    `Ничего не помещается ни при какой длине, поэтому кривой нет. Ограничивает: ${limit}.`,
  waiting: 'Вычисляется…',
  failed: 'Это не удалось вычислить.',
  none: 'Сначала задайте модель и карту: карта значений строится по ответу выше.',
};

const zh: MapWords = {
  title: '能放下什么',
  intro: '同样的模型、显卡和引擎，换用其他长度、负载和权重格式。',
  modes: '上下文对比',
  byLoad: '并发请求数',
  byFormat: '权重格式',
  loadTitle: '能放下什么：并发请求 × 上下文',
  formatTitle: (asked) => `能放下什么：权重格式 × 上下文，负载为 ${asked}`,
  loadHint: '格中数字：还能再放下多少请求；− 表示超出多少。',
  formatHint: '格中数字：同时能放下多少请求。',
  pickHint: '选择一格即采用其设置。',
  context: '上下文（token）',
  requests: '并发请求',
  format: '权重',
  fits: {
    ample: '放得下，有余量',
    tight: '刚好放下',
    short: '能启动，部分请求需等待',
    never: '无法启动',
    void: '不可行',
  },
  cell: (setup, fit, holds) => `${setup}：${fit}。${holds}`,
  load: (requests, context) => `${requests}并发，每个 ${context} token`,
  holds: (count, range) => `同时能放下 ${count} 个${range ? `（${range}）` : ''}。`,
  limit: (term) => `受限于：${term}。`,
  oneFormat: '已量化的检查点只有其自身的格式。',
  curveTitle: '并发请求数随上下文的变化',
  curveIntro: '请求变长时能放下多少，以及常用公式（显卡减去权重）给出的数。',
  curve: {
    context: '上下文（token）',
    requests: '并发请求',
    best: '能放下的请求',
    range: '范围',
    naive: '常用公式',
    load: (count) => `需要 ${count}`,
    point: (context, best, range, naive) =>
      `${context} token：并发 ${best}${range ? `（${range}）` : ''}；常用公式 ${naive}。`,
  },
  capped: (term) => `曲线平直处由引擎自身的上限决定，而不是显存：${term}。`,
  nothing: (limit) => `任何长度都放不下，因此没有曲线。受限于：${limit}。`,
  waiting: '正在计算…',
  failed: '无法计算。',
  none: '请先给出模型和显卡：此图基于上面的结果。',
};

export const words: Record<Lang, MapWords> = { en, ru, zh };
