import type { Lang } from '../../locale';
import type { Rank, Typed } from './query';

export interface FindWords {
  title: string;
  intro(requests: string, context: string): string;
  lengths(prompt: string, output: string): string;
  kept: string;
  goals: string;
  limits: string;
  ttft: string;
  tpot: string;
  budget: string;
  perHour: string;
  any: string;
  unreadable: Record<Typed, string>;
  vendor: string;
  allCards: string;
  cards: string;
  cardsHint: string;
  remove(card: string): string;
  most: string;
  rank: string;
  ranks: Record<Rank, string>;
  formats: string;
  ownFormat: string;
  anyFormat: string;
  formatCost: string;
  engines: string;
  allEngines: string;
  fits: Record<'ample' | 'tight', string>;
  spare(count: string): string;
  requests: string;
  price: string;
  noPrice: string;
  hourly(price: string): string;
  firstToken: string;
  perToken: string;
  notKnown: string;
  breaksFirst: string;
  flags: string;
  weights: string;
  cache(format: string): string;
  use: string;
  useSetup(setup: string): string;
  memory(card: string, parts: string): string;
  shown(shown: string, all: string): string;
  more(count: string): string;
  view: string;
  asCards: string;
  asTable: string;
  setup: string;
  engine: string;
  spareHead: string;
  prices(source: string, date: string): string;
  leftOut(count: string): string;
  tryFormats: string;
  tryMore(count: string): string;
  tryAll: string;
  tryGoals: string;
  waiting: string;
  again: string;
  failed: string;
  none: string;
}

const en: FindWords = {
  title: 'Find cards',
  intro: (requests, context) => `Cards that carry ${requests} at once of ${context} tokens each`,
  lengths: (prompt, output) => `, ${prompt} of them prompt and ${output} answer`,
  kept: 'Your flags are kept, but for those that share the model out over cards.',
  goals: 'How fast',
  limits: 'What may be used',
  ttft: 'First token within',
  tpot: 'Each further token within',
  budget: 'All cards at most',
  perHour: 'USD an hour',
  any: 'any',
  unreadable: {
    ttft: 'Give the time as a number of milliseconds above 0, or leave it empty.',
    tpot: 'Give the time as a number of milliseconds above 0, or leave it empty.',
    budget: 'Give the price as a number above 0, or leave it empty.',
  },
  vendor: 'Cards of',
  allCards: 'all makers',
  cards: 'Only these cards',
  cardsHint: 'Type a name; empty means all.',
  remove: (card) => `Remove ${card}`,
  most: 'At most so many cards',
  rank: 'Best first by',
  ranks: { cards: 'fewest cards', price: 'lowest price', headroom: 'most room to spare' },
  formats: 'Weights',
  ownFormat: 'as published',
  anyFormat: 'any format',
  formatCost:
    'Quantising costs some accuracy (little at FP8 and INT8, more at 4 bits) and mostly needs another checkpoint.',
  engines: 'Engines',
  allEngines: 'all four',
  fits: { ample: 'Carries it with room', tight: 'Carries it, just' },
  spare: (count) => `${count} more at once would fit`,
  requests: 'Requests at once',
  price: 'Price',
  noPrice: 'no list price',
  hourly: (price) => `${price} an hour`,
  firstToken: 'First token',
  perToken: 'Each further token',
  notKnown: 'not known',
  breaksFirst: 'What breaks first',
  flags: 'Flags',
  weights: 'weights',
  cache: (format) => `KV cache ${format}`,
  use: 'Use this',
  useSetup: (setup) => `Use this: ${setup}`,
  memory: (card, parts) => `Memory of one ${card}: ${parts}`,
  more: (count) => `Show ${count} more`,
  shown: (shown, all) => `The best ${shown} of ${all} that carry it.`,
  view: 'Show as',
  asCards: 'Cards',
  asTable: 'Table',
  setup: 'Setup',
  engine: 'Engine',
  spareHead: 'To spare',
  prices: (source, date) => `Prices: ${source}, ${date}. They move: check before you rent.`,
  leftOut: (count) => `${count} left out, and why`,
  tryFormats: 'Allow other weight formats',
  tryMore: (count) => `Allow up to ${count} cards`,
  tryAll: 'Allow all cards',
  tryGoals: 'Drop the time goals',
  waiting: 'Searching the cards…',
  again: 'Searching again…',
  failed: 'The search could not be made.',
  none: 'Give a model first: the search is for the load of the answer above.',
};

const ru: FindWords = {
  title: 'Подобрать карты',
  intro: (requests, context) =>
    `Карты, которые держат ${requests} одновременно по ${context} токенов`,
  lengths: (prompt, output) => `, из них ${prompt} — промпт и ${output} — ответ`,
  kept: 'Ваши флаги сохраняются, кроме тех, что делят модель между картами.',
  goals: 'Как быстро',
  limits: 'Что можно использовать',
  ttft: 'Первый токен не позже',
  tpot: 'Каждый следующий не позже',
  budget: 'Все карты не дороже',
  perHour: 'USD в час',
  any: 'любое',
  unreadable: {
    ttft: 'Укажите время числом миллисекунд больше 0 или оставьте поле пустым.',
    tpot: 'Укажите время числом миллисекунд больше 0 или оставьте поле пустым.',
    budget: 'Укажите цену числом больше 0 или оставьте поле пустым.',
  },
  vendor: 'Производитель',
  allCards: 'любой',
  cards: 'Только эти карты',
  cardsHint: 'Введите название; пусто — все.',
  remove: (card) => `Убрать ${card}`,
  most: 'Карт не больше',
  rank: 'Сначала лучшие по',
  ranks: { cards: 'числу карт', price: 'цене', headroom: 'запасу' },
  formats: 'Веса',
  ownFormat: 'исходные',
  anyFormat: 'любой формат',
  formatCost:
    'Квантование стоит части точности (мало для FP8 и INT8, больше для 4 бит) и обычно требует другого чекпоинта.',
  engines: 'Движки',
  allEngines: 'все четыре',
  fits: { ample: 'Держит с запасом', tight: 'Держит впритык' },
  spare: (count) => `поместится ещё ${count}`,
  requests: 'Запросов одновременно',
  price: 'Цена',
  noPrice: 'цены в списке нет',
  hourly: (price) => `${price} в час`,
  firstToken: 'Первый токен',
  perToken: 'Каждый следующий',
  notKnown: 'неизвестно',
  breaksFirst: 'Что кончится первым',
  flags: 'Флаги',
  weights: 'веса',
  cache: (format) => `KV-кэш ${format}`,
  use: 'Взять',
  useSetup: (setup) => `Взять: ${setup}`,
  memory: (card, parts) => `Память одной ${card}: ${parts}`,
  more: (count) => `Показать ещё ${count}`,
  shown: (shown, all) => `Лучшие ${shown} из ${all}, которые держат нагрузку.`,
  view: 'Показать',
  asCards: 'Карточками',
  asTable: 'Таблицей',
  setup: 'Вариант',
  engine: 'Движок',
  spareHead: 'Запас',
  prices: (source, date) => `Цены: ${source}, ${date}. Они меняются: проверьте перед арендой.`,
  leftOut: (count) => `Не вошло: ${count}, и почему`,
  tryFormats: 'Разрешить другие форматы весов',
  tryMore: (count) => `Разрешить до ${count} карт`,
  tryAll: 'Разрешить все карты',
  tryGoals: 'Снять требования ко времени',
  waiting: 'Идёт поиск по картам…',
  again: 'Идёт новый поиск…',
  failed: 'Поиск не удался.',
  none: 'Сначала задайте модель: поиск идёт по нагрузке из ответа выше.',
};

const zh: FindWords = {
  title: '寻找显卡',
  intro: (requests, context) => `能承载${requests}并发、每个 ${context} token 的显卡`,
  lengths: (prompt, output) => `，其中提示 ${prompt}、回答 ${output}`,
  kept: '保留您的参数，但决定模型如何分布到多张显卡的参数除外。',
  goals: '速度要求',
  limits: '可用范围',
  ttft: '首个 token 不超过',
  tpot: '之后每个 token 不超过',
  budget: '总价不超过',
  perHour: 'USD / 小时',
  any: '不限',
  unreadable: {
    ttft: '请填写大于 0 的毫秒数，或留空。',
    tpot: '请填写大于 0 的毫秒数，或留空。',
    budget: '请填写大于 0 的价格，或留空。',
  },
  vendor: '显卡厂商',
  allCards: '全部',
  cards: '仅限这些显卡',
  cardsHint: '输入名称；留空表示全部。',
  remove: (card) => `移除 ${card}`,
  most: '最多显卡数',
  rank: '排序依据',
  ranks: { cards: '显卡最少', price: '价格最低', headroom: '余量最大' },
  formats: '权重',
  ownFormat: '原始格式',
  anyFormat: '任何格式',
  formatCost: '量化会损失一些精度（FP8 和 INT8 很小，4 位较大），且大多需要另一个检查点。',
  engines: '引擎',
  allEngines: '全部四个',
  fits: { ample: '能承载，有余量', tight: '刚好能承载' },
  spare: (count) => `还能再并发 ${count} 个`,
  requests: '并发请求',
  price: '价格',
  noPrice: '无参考价格',
  hourly: (price) => `每小时 ${price}`,
  firstToken: '首个 token',
  perToken: '之后每个 token',
  notKnown: '未知',
  breaksFirst: '最先到限的是',
  flags: '参数',
  weights: '权重',
  cache: (format) => `KV 缓存 ${format}`,
  use: '采用',
  useSetup: (setup) => `采用：${setup}`,
  memory: (card, parts) => `一张 ${card} 的显存：${parts}`,
  more: (count) => `再显示 ${count} 个`,
  shown: (shown, all) => `共 ${all} 个可承载方案，显示最佳的 ${shown} 个。`,
  view: '显示为',
  asCards: '卡片',
  asTable: '表格',
  setup: '方案',
  engine: '引擎',
  spareHead: '余量',
  prices: (source, date) => `价格：${source}，${date}。价格会变动，租用前请核对。`,
  leftOut: (count) => `未列入的：${count}，及原因`,
  tryFormats: '允许其他权重格式',
  tryMore: (count) => `允许最多 ${count} 张显卡`,
  tryAll: '允许所有显卡',
  tryGoals: '取消时间要求',
  waiting: '正在搜索显卡…',
  again: '正在重新搜索…',
  failed: '无法完成搜索。',
  none: '请先给出模型：搜索依据上面结果的负载。',
};

export const words: Record<Lang, FindWords> = { en, ru, zh };
