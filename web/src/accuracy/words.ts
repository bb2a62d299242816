import type { Lang } from '../locale';
import type { Baseline } from './baselines';
import type { Order, ranges } from './filter';
import type { Term } from './rows';

type Range = (typeof ranges)[number];

export interface AccuracyWords {
  title: string;
  tagline: string;
  calculator: string;
  skip: string;
  parts: string;
  memory: string;
  speed: string;
  speedLoading: string;
  speedFailed: string;
  intro: string;
  working(done: string, all: string): string;
  worked(starts: string, rows: string): string;
  failed(count: string): string;
  coreFailed: string;
  reload: string;

  filters: string;
  engine: string;
  version: string;
  kind: string;
  term: string;
  range: string;
  all: string;
  feedForward: string;
  attention: string;
  other: string;
  clear: string;
  shown(count: string): string;
  noneShown: string;
  ranges: Record<Range, string>;
  kinds: Record<string, string>;
  eras: Record<string, string>;
  terms: Record<Term, string>;
  followed: Record<string, string>;

  summary: string;
  summaryHint: string;
  summaryFiltered: string;
  starts: string;
  median: string;
  nine: string;
  held: string;
  tooFew: string;
  ours: string;
  others: Record<Baseline, string>;
  otherMedian: Record<Baseline, string>;

  pictures: string;
  predicted: string;
  measured: string;
  bound: string;
  difference: string;
  which: string;
  pictureOf(term: string, whose: string): string;
  noPicture: string;
  naiveText: string;
  originalText: string;
  originalFormula: string;
  originalSource: string;

  rows: string;
  sortBy(column: string): string;
  columns: Record<Order, string>;
  basis: string;
  source: string;
  open: string;
  openLabel(what: string): string;
  inside: string;
  outside: string;
  notSaid: string;
  noAddress: string;
  copyOf: string;
  inferred: string;
  cardInferred: string;
  showRows(count: string): string;

  follows: string;
  followsText: string;
  exact(exact: string, starts: string): string;
  refused(told: string, refused: string): string;

  leftOut: string;
  leftOutText(count: string): string;
  reason: string;
  total: string;
  everyLeftOut: string;
  checked: string;
  agrees: string;
  differs: string;
  reasons: Record<string, string>;

  send: string;
  sendText: string;
  log: string;
  command: string;
  commandHint: string;
  cardName: string;
  cardHint: string;
  address: string;
  addressHint: string;
  date: string;
  read: string;
  reading: string;
  notLog: string;
  row: string;
  copy: string;
  copied: string;
  notCopied: string;
  lacks(fields: string): string;
  whole: string;
  fields: Record<string, string>;
  against: string;
  where: string;
  whereSteps: string[];
}

const kindNames = {
  gqa: 'GQA',
  mqa: 'MQA',
  mha: 'MHA',
  mla: 'MLA',
};

const en: AccuracyWords = {
  title: 'Accuracy',
  tagline: 'Predicted against measured, start by start',
  calculator: 'Calculator',
  skip: 'To the figures',
  parts: 'What is compared',
  memory: 'Memory',
  speed: 'Speed',
  speedLoading: 'Loading the measured speeds…',
  speedFailed: 'The measured speeds did not load.',
  intro:
    'Real people started these servers and published what the engine printed. Each start is worked out again here, in your browser, from the model’s config, the card and the flags alone, and held against the print.',
  working: (done, all) => `Working out row ${done} of ${all}…`,
  worked: (starts, rows) => `${starts} starts worked out in this browser, of ${rows} rows at hand.`,
  failed: (count) => `${count} rows could not be worked out by this build.`,
  coreFailed: 'The part that works this out did not load.',
  reload: 'Check the connection and reload the page.',

  filters: 'Which starts',
  engine: 'Engine',
  version: 'Version',
  kind: 'Kind of model',
  term: 'Term',
  range: 'Held by the range',
  all: 'all',
  feedForward: 'Feed-forward',
  attention: 'Attention',
  other: 'Other',
  clear: 'Show all',
  shown: (count) => `${count} starts shown`,
  noneShown: 'No start is of this kind. Widen the choice above.',
  ranges: { all: 'either', in: 'held', out: 'not held' },
  kinds: {
    ...kindNames,
    dense: 'dense',
    moe: 'mixture of experts (MoE)',
    swa: 'windowed',
    hybrid: 'hybrid',
    ssm: 'state-space',
    encoder: 'encoder',
    none: 'no attention',
    quantised: 'quantised',
    several: 'on several cards',
  },
  eras: {
    V0: 'V0 engine',
    'V1 to 0.10': 'V1 up to 0.10',
    '0.27 and later': '0.27 and later',
    '0.5.13-': '0.5.13 and later',
    'before --fit': 'before --fit (up to b7411)',
    'with --fit': 'with --fit (b7412 to b9376)',
    'logits by slot': 'b9377 and later',
    'build not told': 'build not told',
    unknown: 'version not told',
  },
  terms: {
    weights: 'Weights',
    activation: 'Activation peak',
    graphs: 'CUDA graphs',
    non_torch: 'Non-torch memory',
    outside: 'Outside torch, with graphs',
    kv_pool: 'KV pool',
    blocks: 'Blocks',
    tokens: 'Tokens in the pool',
    concurrency: 'Concurrency',
  },
  followed: {
    kv_pool: 'KV pool',
    tokens: 'Tokens in the pool',
    concurrency: 'Concurrency',
    needed: 'Memory needed',
    max_len: 'Longest request that would fit',
  },

  summary: 'How close it is',
  summaryHint:
    'Errors are shares of what was measured, without sign. Below ten starts no percentage is given.',
  summaryFiltered: 'Of the starts chosen above.',
  starts: 'Starts',
  median: 'Median error',
  nine: 'Nine in ten below',
  held: 'In the range',
  tooFew: 'too few',
  ours: 'ridgepoint',
  others: { naive: 'Weights + KV against the card', original: 'The original’s formula' },
  otherMedian: { naive: 'Weights + KV, median', original: 'Original, median' },

  pictures: 'Predicted against measured',
  predicted: 'Predicted',
  measured: 'Measured',
  bound: '10 % off',
  difference: 'Difference',
  which: 'Start',
  pictureOf: (term, whose) => `${term}: ${whose}`,
  noPicture: 'Other calculators say nothing of this term.',
  naiveText:
    'The naive answer gives the cache all that the weights leave of the card. llama.cpp makes the cache that it is told to, so it has no naive pool.',
  originalText:
    'The original is the calculator of the same name that this one began with. It knows vLLM, and has no setting for the share of the card. It gets the weights and the bytes of a token from here, so only its pool is compared.',
  originalFormula:
    'pool = 0.90 × (GB by its name in GiB − 0.8 GB) − weights − overhead; overhead of N cards = h + N × (0.28 GiB, with experts 0.70, + 0.55 h); h = hidden size ÷ 4096 in GiB',
  originalSource: 'Its source',

  rows: 'Row by row',
  sortBy: (column) => `Sort by: ${column}`,
  columns: {
    name: 'Start',
    engine: 'Engine',
    measured: 'Measured',
    predicted: 'Predicted',
    error: 'Error',
    naive: 'Weights + KV',
    original: 'Original',
  },
  basis: 'Basis',
  source: 'Source',
  open: 'Open',
  openLabel: (what) => `Open in the calculator: ${what}`,
  inside: 'in the range',
  outside: 'outside the range',
  notSaid: '–',
  noAddress: 'public file',
  copyOf: 'A public file that was read without its address',
  inferred: 'The source does not print the version; it was told from the date or the log’s form',
  cardInferred: 'The source does not name the card; it was told from the memory it prints',
  showRows: (count) => `Show all ${count} starts`,

  follows: 'From the log’s own figures',
  followsText:
    'With the pool, or the memory taken before it, put in as the log has it, the rest follows by rule. So often it is what the log says, row left out or not:',
  exact: (exact, starts) => `${exact} of ${starts}`,
  refused: (told, refused) =>
    `The engine refused ${refused} of these starts; the verdict here says so of ${told}.`,

  leftOut: 'Left out, and why',
  leftOutText: (count) =>
    `${count} rows cannot be worked out from config, card and flags alone, or contradict themselves.`,
  reason: 'Reason',
  total: 'All',
  everyLeftOut: 'Every row left out',
  checked: 'Follows from its own figures',
  agrees: 'yes',
  differs: 'no',
  reasons: {
    config: 'The config of the model, or of its draft, is not at hand',
    version: 'The source does not name the version',
    card: 'The source does not name the card, its memory or how many there are',
    model: 'The source does not say which model or checkpoint',
    flags: 'The source does not give all flags that decide memory',
    old: 'The version is older than the rules cover',
    fork: 'A fork, or a build newer than the rules',
    shared: 'Something else held an unknown part of the memory',
    contradicts: 'Its own figures contradict each other or its flags',
    no_figure: 'It prints no figure that is compared',
    other_gpu: 'The log is of another GPU than the tightest',
    twice: 'The same start as another row',
  },

  send: 'Send a row',
  sendText:
    'Paste the start-up log, whole, and the command that started it. They are read in this browser and sent nowhere: the row holds figures, flags and names, no line of the log.',
  log: 'Start-up log',
  command: 'Command',
  commandHint:
    'The line or file that started it. Flags that the log does not print come from here.',
  cardName: 'Card',
  cardHint: 'As nvidia-smi names it',
  address: 'Public address of the log',
  addressHint: 'An issue, a pull request or a file: a row needs a source that others can read.',
  date: 'Date',
  read: 'Make the row',
  reading: 'Reading…',
  notLog: 'This is no start-up log that can be read here.',
  row: 'The row as JSON',
  copy: 'Copy this row as JSON',
  copied: 'Copied.',
  notCopied: 'The browser did not allow it. Select the text and copy it.',
  lacks: (fields) => `Still missing, and a row without it is left out: ${fields}.`,
  whole: 'Nothing that decides memory is missing.',
  fields: {
    source: 'address',
    engine_version: 'version',
    model: 'model',
    gpu: 'card',
    figures: 'a figure to compare',
  },
  against: 'What the log says against the prediction',
  where: 'Where rows live',
  whereSteps: [
    'A row is one line of `truth/<engine>.jsonl` in the corpus beside the repository (or where `RIDGEPOINT_SHARED` says). Add the copied line at its end; a config that is not built in goes to `configs/`.',
    '`bash tests/accuracy.sh --rows <engine>` works all rows out, prints the tables, and writes `core/data/accuracy/<engine>.json` and `core/data/accuracy/rows/<engine>.json`. The second file is what this page reads.',
    '`tests/js/accuracy-rows.test.mjs` holds the one against the other and each shortened config against the whole. Send the changed files as a pull request, with the source in its text.',
  ],
};

const ru: AccuracyWords = {
  title: 'Точность',
  tagline: 'Расчёт против измерений, запуск за запуском',
  calculator: 'Калькулятор',
  skip: 'К цифрам',
  parts: 'Что сравнивается',
  memory: 'Память',
  speed: 'Скорость',
  speedLoading: 'Загружаются измеренные скорости…',
  speedFailed: 'Измеренные скорости не загрузились.',
  intro:
    'Эти серверы запускали живые люди и опубликовали, что напечатал движок. Каждый запуск пересчитывается здесь, в вашем браузере, только по конфигу модели, карте и флагам, и сверяется с напечатанным.',
  working: (done, all) => `Считается строка ${done} из ${all}…`,
  worked: (starts, rows) =>
    `В этом браузере пересчитано запусков: ${starts}; всего строк: ${rows}.`,
  failed: (count) => `Строк, которые эта сборка не смогла пересчитать: ${count}.`,
  coreFailed: 'Часть, которая это считает, не загрузилась.',
  reload: 'Проверьте соединение и обновите страницу.',

  filters: 'Какие запуски',
  engine: 'Движок',
  version: 'Версия',
  kind: 'Вид модели',
  term: 'Величина',
  range: 'В диапазоне',
  all: 'все',
  feedForward: 'Полносвязные слои',
  attention: 'Внимание',
  other: 'Прочее',
  clear: 'Показать все',
  shown: (count) => `Показано запусков: ${count}`,
  noneShown: 'Таких запусков нет. Расширьте выбор выше.',
  ranges: { all: 'неважно', in: 'да', out: 'нет' },
  kinds: {
    ...kindNames,
    dense: 'плотная',
    moe: 'смесь экспертов (MoE)',
    swa: 'с окном',
    hybrid: 'гибрид',
    ssm: 'с рекуррентным состоянием',
    encoder: 'энкодер',
    none: 'без внимания',
    quantised: 'квантованная',
    several: 'на нескольких картах',
  },
  eras: {
    V0: 'движок V0',
    'V1 to 0.10': 'V1 до 0.10',
    '0.11 to 0.20': 'с 0.11 по 0.20',
    '0.21 to 0.26': 'с 0.21 по 0.26',
    '0.27 and later': '0.27 и новее',
    '0.5.13-': '0.5.13 и новее',
    'before --fit': 'до --fit (по b7411)',
    'with --fit': 'с --fit (b7412–b9376)',
    'logits by slot': 'b9377 и новее',
    'build not told': 'сборка не указана',
    unknown: 'версия не указана',
  },
  terms: {
    weights: 'Веса',
    activation: 'Пик активаций',
    graphs: 'CUDA-графы',
    non_torch: 'Память вне torch',
    outside: 'Вне torch, с графами',
    kv_pool: 'Пул KV-кэша',
    blocks: 'Блоки',
    tokens: 'Токены в пуле',
    concurrency: 'Запросов одновременно',
  },
  followed: {
    kv_pool: 'Пул KV-кэша',
    tokens: 'Токены в пуле',
    concurrency: 'Запросов одновременно',
    needed: 'Нужная память',
    max_len: 'Самый длинный запрос, который поместился бы',
  },

  summary: 'Насколько точно',
  summaryHint:
    'Ошибка — доля от измеренного, без знака. Если запусков меньше десяти, проценты не приводятся.',
  summaryFiltered: 'По запускам, выбранным выше.',
  starts: 'Запусков',
  median: 'Медиана ошибки',
  nine: 'Девять из десяти ниже',
  held: 'В диапазоне',
  tooFew: 'мало данных',
  ours: 'ridgepoint',
  others: { naive: 'Веса + KV против карты', original: 'Формула прежнего калькулятора' },
  otherMedian: { naive: 'Веса + KV, медиана', original: 'Прежний, медиана' },

  pictures: 'Расчёт против измерений',
  predicted: 'Расчёт',
  measured: 'Измерено',
  bound: 'отклонение 10 %',
  difference: 'Разница',
  which: 'Запуск',
  pictureOf: (term, whose) => `${term}: ${whose}`,
  noPicture: 'Другие калькуляторы об этой величине ничего не говорят.',
  naiveText:
    'Наивный ответ отдаёт кэшу всё, что веса оставили на карте. llama.cpp создаёт кэш заданного размера, поэтому наивного пула у него нет.',
  originalText:
    'Прежний — одноимённый калькулятор, с которого начался этот. Он знает vLLM, доля карты в нём не настраивается. Веса и байты на токен он получает отсюда, так что сравнивается только его пул.',
  originalFormula:
    'пул = 0,90 × (ГБ из названия карты как GiB − 0,8 GB) − веса − накладные; накладные N карт = h + N × (0,28 GiB, у моделей с экспертами 0,70, + 0,55 h); h = размер скрытого слоя ÷ 4096 в GiB',
  originalSource: 'Его исходный код',

  rows: 'Строка за строкой',
  sortBy: (column) => `Сортировать: ${column}`,
  columns: {
    name: 'Запуск',
    engine: 'Движок',
    measured: 'Измерено',
    predicted: 'Расчёт',
    error: 'Ошибка',
    naive: 'Веса + KV',
    original: 'Прежний',
  },
  basis: 'Основание',
  source: 'Источник',
  open: 'Открыть',
  openLabel: (what) => `Открыть в калькуляторе: ${what}`,
  inside: 'в диапазоне',
  outside: 'вне диапазона',
  notSaid: '–',
  noAddress: 'публичный файл',
  copyOf: 'Публичный файл, прочитанный без адреса',
  inferred: 'Источник не называет версию: она определена по дате или по виду журнала',
  cardInferred: 'Источник не называет карту: она определена по напечатанной памяти',
  showRows: (count) => `Показать все запуски: ${count}`,

  follows: 'По собственным цифрам журнала',
  followsText:
    'Если подставить пул или занятую до него память так, как их напечатал журнал, остальное следует по правилам. Вот как часто это совпадает с журналом — и для исключённых строк тоже:',
  exact: (exact, starts) => `${exact} из ${starts}`,
  refused: (told, refused) =>
    `Отказов движка среди этих запусков: ${refused}; вердикт здесь предсказывает из них: ${told}.`,

  leftOut: 'Что исключено и почему',
  leftOutText: (count) =>
    `Строк, которые нельзя пересчитать только по конфигу, карте и флагам: ${count}. В это число входят и те, что противоречат сами себе.`,
  reason: 'Причина',
  total: 'Всего',
  everyLeftOut: 'Все исключённые строки',
  checked: 'Следует из своих цифр',
  agrees: 'да',
  differs: 'нет',
  reasons: {
    config: 'Нет конфига модели или её черновой модели',
    version: 'Источник не называет версию',
    card: 'Источник не называет карту, её память или число карт',
    model: 'Источник не говорит, какая модель или какой чекпойнт',
    flags: 'Источник даёт не все флаги, от которых зависит память',
    old: 'Версия старше, чем известные правила',
    fork: 'Форк или сборка новее правил',
    shared: 'Неизвестную часть памяти занимало что-то ещё',
    contradicts: 'Цифры противоречат друг другу или флагам',
    no_figure: 'Нет ни одной сравниваемой цифры',
    other_gpu: 'Журнал не той карты, на которой теснее всего',
    twice: 'Тот же запуск, что в другой строке',
  },

  send: 'Прислать строку',
  sendText:
    'Вставьте журнал запуска целиком и команду, которой запускали. Они читаются в этом браузере и никуда не отправляются: в строке остаются цифры, флаги и имена, но не текст журнала.',
  log: 'Журнал запуска',
  command: 'Команда',
  commandHint: 'Строка или файл запуска. Отсюда берутся флаги, которых нет в журнале.',
  cardName: 'Карта',
  cardHint: 'Как её называет nvidia-smi',
  address: 'Публичный адрес журнала',
  addressHint: 'Issue, pull request или файл: источник строки должен быть доступен другим.',
  date: 'Дата',
  read: 'Составить строку',
  reading: 'Чтение…',
  notLog: 'Это не журнал запуска, который можно здесь прочитать.',
  row: 'Строка в виде JSON',
  copy: 'Скопировать строку как JSON',
  copied: 'Скопировано.',
  notCopied: 'Браузер не разрешил. Выделите текст и скопируйте его.',
  lacks: (fields) => `Не хватает (без этого строка будет исключена): ${fields}.`,
  whole: 'Есть всё, от чего зависит память.',
  fields: {
    source: 'адрес',
    engine_version: 'версия',
    model: 'модель',
    gpu: 'карта',
    figures: 'цифра для сравнения',
  },
  against: 'Журнал против расчёта',
  where: 'Где живут строки',
  whereSteps: [
    'Строка — это одна строка файла `truth/<engine>.jsonl` в корпусе рядом с репозиторием (или там, куда указывает `RIDGEPOINT_SHARED`). Добавьте скопированное в конец файла; конфиг, которого нет среди встроенных, кладётся в `configs/`.',
    '`bash tests/accuracy.sh --rows <engine>` пересчитывает все строки, печатает таблицы и записывает `core/data/accuracy/<engine>.json` и `core/data/accuracy/rows/<engine>.json`. Второй файл и читает эта страница.',
    '`tests/js/accuracy-rows.test.mjs` сверяет одно с другим, а каждый сокращённый конфиг — с полным. Пришлите изменённые файлы пулреквестом и укажите в нём источник.',
  ],
};

const zh: AccuracyWords = {
  title: '准确度',
  tagline: '逐次启动：预测对实测',
  calculator: '计算器',
  skip: '跳到数字',
  parts: '比较什么',
  memory: '显存',
  speed: '速度',
  speedLoading: '正在加载实测速度…',
  speedFailed: '实测速度未能加载。',
  intro:
    '这些服务由真实用户启动，并公开了引擎打印的内容。每次启动都在你的浏览器里重新计算，只用模型的 config、显卡和参数，再与打印值对照。',
  working: (done, all) => `正在计算第 ${done} 行，共 ${all} 行…`,
  worked: (starts, rows) => `已在此浏览器中计算 ${starts} 次启动，共有 ${rows} 行。`,
  failed: (count) => `此版本无法计算其中 ${count} 行。`,
  coreFailed: '计算部分未能加载。',
  reload: '请检查网络并刷新页面。',

  filters: '选择启动',
  engine: '引擎',
  version: '版本',
  kind: '模型类型',
  term: '项目',
  range: '是否在区间内',
  all: '全部',
  feedForward: '前馈层',
  attention: '注意力',
  other: '其他',
  clear: '显示全部',
  shown: (count) => `显示 ${count} 次启动`,
  noneShown: '没有这样的启动，请放宽上面的条件。',
  ranges: { all: '不限', in: '在内', out: '不在内' },
  kinds: {
    ...kindNames,
    dense: '稠密',
    moe: '混合专家 (MoE)',
    swa: '滑动窗口',
    hybrid: '混合架构',
    ssm: '状态空间',
    encoder: '编码器',
    none: '无注意力',
    quantised: '量化',
    several: '多卡',
  },
  eras: {
    V0: 'V0 引擎',
    'V1 to 0.10': 'V1 至 0.10',
    '0.11 to 0.20': '0.11 至 0.20',
    '0.21 to 0.26': '0.21 至 0.26',
    '0.27 and later': '0.27 及以后',
    '0.5.13-': '0.5.13 及以后',
    'before --fit': '--fit 之前（至 b7411）',
    'with --fit': '有 --fit（b7412 至 b9376）',
    'logits by slot': 'b9377 及以后',
    'build not told': '未说明构建',
    unknown: '未说明版本',
  },
  terms: {
    weights: '权重',
    activation: '激活峰值',
    graphs: 'CUDA graph',
    non_torch: 'torch 之外的显存',
    outside: 'torch 之外（含 graph）',
    kv_pool: 'KV 缓存池',
    blocks: '块数',
    tokens: '池中的 token',
    concurrency: '并发请求',
  },
  followed: {
    kv_pool: 'KV 缓存池',
    tokens: '池中的 token',
    concurrency: '并发请求',
    needed: '所需显存',
    max_len: '放得下的最长请求',
  },

  summary: '有多准',
  summaryHint: '误差是相对实测值的比例，不计正负。少于十次启动时不给百分比。',
  summaryFiltered: '仅统计上面选中的启动。',
  starts: '启动数',
  median: '误差中位数',
  nine: '九成低于',
  held: '在区间内',
  tooFew: '样本太少',
  ours: 'ridgepoint',
  others: { naive: '权重 + KV 对显卡', original: '原计算器的公式' },
  otherMedian: { naive: '权重 + KV，中位数', original: '原公式，中位数' },

  pictures: '预测对实测',
  predicted: '预测',
  measured: '实测',
  bound: '相差 10 %',
  difference: '差异',
  which: '启动',
  pictureOf: (term, whose) => `${term}：${whose}`,
  noPicture: '其他计算器不给出这一项。',
  naiveText:
    '朴素的答案把权重之外的全部显存都给缓存。llama.cpp 按要求的大小建缓存，因此没有朴素的池。',
  originalText:
    '原计算器与本工具同名，本工具由它而来。它只懂 vLLM，且不能设定显存占比。权重和每 token 字节取自本工具，所以只比较它的池。',
  originalFormula:
    '池 = 0.90 × （型号标称的 GB 数当作 GiB − 0.8 GB） − 权重 − 开销；N 张卡的开销 = h + N × （0.28 GiB，专家模型 0.70，+ 0.55 h）；h = hidden size ÷ 4096，单位 GiB',
  originalSource: '其源代码',

  rows: '逐行',
  sortBy: (column) => `排序：${column}`,
  columns: {
    name: '启动',
    engine: '引擎',
    measured: '实测',
    predicted: '预测',
    error: '误差',
    naive: '权重 + KV',
    original: '原公式',
  },
  basis: '依据',
  source: '来源',
  open: '打开',
  openLabel: (what) => `在计算器中打开：${what}`,
  inside: '在区间内',
  outside: '不在区间内',
  notSaid: '–',
  noAddress: '公开文件',
  copyOf: '读取时没有地址的公开文件',
  inferred: '来源未写版本，由日期或日志的形式推断',
  cardInferred: '来源未写显卡，由其打印的显存推断',
  showRows: (count) => `显示全部 ${count} 次启动`,

  follows: '由日志自己的数字推出',
  followsText:
    '把日志里的缓存池（或之前占用的显存）代入后，其余各项按规则得出。与日志相符的次数如下，被排除的行也算在内：',
  exact: (exact, starts) => `${exact} / ${starts}`,
  refused: (told, refused) => `其中 ${refused} 次引擎拒绝启动，本工具的结论说中 ${told} 次。`,

  leftOut: '排除了什么，为什么',
  leftOutText: (count) => `有 ${count} 行无法只凭 config、显卡和参数计算，或自相矛盾。`,
  reason: '原因',
  total: '合计',
  everyLeftOut: '所有被排除的行',
  checked: '由自身数字推出',
  agrees: '是',
  differs: '否',
  reasons: {
    config: '没有模型（或其草稿模型）的 config',
    version: '来源没有写版本',
    card: '来源没有写显卡、显存或卡数',
    model: '来源没有说明是哪个模型或检查点',
    flags: '来源没有给全决定显存的参数',
    old: '版本早于规则覆盖的范围',
    fork: '分支版本，或比规则更新的构建',
    shared: '显存中有未知部分被其他程序占用',
    contradicts: '数字之间或与参数互相矛盾',
    no_figure: '没有可比较的数字',
    other_gpu: '日志不是最紧张的那张卡',
    twice: '与另一行是同一次启动',
  },

  send: '提交一行',
  sendText:
    '粘贴完整的启动日志和启动命令。它们只在此浏览器中读取，不会发送到任何地方：行里只有数字、参数和名称，没有日志原文。',
  log: '启动日志',
  command: '命令',
  commandHint: '启动用的命令行或文件。日志没有打印的参数取自这里。',
  cardName: '显卡',
  cardHint: '按 nvidia-smi 的名称',
  address: '日志的公开地址',
  addressHint: 'issue、pull request 或文件：每一行都需要别人也能读到的来源。',
  date: '日期',
  read: '生成这一行',
  reading: '正在读取…',
  notLog: '这不是这里能读取的启动日志。',
  row: 'JSON 形式的行',
  copy: '复制为 JSON',
  copied: '已复制。',
  notCopied: '浏览器不允许。请选中文本后复制。',
  lacks: (fields) => `还缺少（缺少则该行会被排除）：${fields}。`,
  whole: '决定显存的各项都齐了。',
  fields: {
    source: '地址',
    engine_version: '版本',
    model: '模型',
    gpu: '显卡',
    figures: '可比较的数字',
  },
  against: '日志对预测',
  where: '这些行放在哪里',
  whereSteps: [
    '一行就是仓库旁语料（或 `RIDGEPOINT_SHARED` 所指处）中 `truth/<engine>.jsonl` 的一行。把复制的内容加到文件末尾；未内置的 config 放进 `configs/`。',
    '`bash tests/accuracy.sh --rows <engine>` 会计算所有行、打印表格，并写出 `core/data/accuracy/<engine>.json` 和 `core/data/accuracy/rows/<engine>.json`。本页读取的是后者。',
    '`tests/js/accuracy-rows.test.mjs` 会核对两者，并将每个精简的 config 与完整的核对。请把改动的文件作为 pull request 提交，并写明来源。',
  ],
};

export const words: Record<Lang, AccuracyWords> = { en, ru, zh };
