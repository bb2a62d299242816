import type { CommandForm, FlagUse, LogAnswer } from 'ridgepoint';
import type { Formats } from '../../format';
import type { Lang } from '../../locale';

export interface CommandsWords {
  noAnswer: string;
  outTitle: string;
  form: string;
  forms: Record<CommandForm, string>;
  copy: string;
  download: (file: string) => string;
  checked: string;
  why: string;
  noFlags: string;
  giveId: string;
  own: string;
  ownHint: string;

  inTitle: string;
  inLabel: string;
  inHint: string;
  inEmpty: string;
  chooseFile: string;
  clear: string;
  remove: string;
  pastedText: string;
  lines: (f: Formats, count: number) => string;
  tooLarge: (name: string, limit: string) => string;
  unreadable: string;
  readAs: (form: string) => string;
  noModel: string;
  cards: (f: Formats, count: number) => string;
  theCommand: (engine: string) => string;
  useSetup: string;
  flags: string;
  noFlagsRead: string;
  env: string;
  uses: Record<FlagUse, string>;
  readAsLog: string;

  logTitle: string;
  logLabel: string;
  logHint: string;
  logEmpty: string;
  reading: string;
  outcomes: Record<LogAnswer['outcome'], string>;
  noVersion: string;
  notInLog: string;
  cardCount: string;
  ranks: string;
  tightest: (f: Formats, count: number, rank: string) => string;
  ofModel: (model: string) => string;
  compared: string;
  term: string;
  measured: string;
  predicted: string;
  inside: string;
  outside: string;
  cause: string;
  terms: Record<string, string>;
  useMeasured: string;
  useMeasuredHint: string;
  nothingMeasured: string;
  measuredTerms: string;
  asLog: string;
  theLog: string;
  copyRow: string;
  row: string;
  rowHint: string;
  copyMarkdown: string;
  notes: string;
}

export const words: Record<Lang, CommandsWords> = {
  en: {
    noAnswer: 'There is no answer yet, so there is no command to write.',
    outTitle: 'Start it',
    form: 'Form of the command',
    forms: {
      shell: 'Command',
      docker: 'docker run',
      compose: 'Compose',
      kubernetes: 'Kubernetes',
    },
    copy: 'Copy the text',
    download: (file) => `Download ${file}`,
    checked: 'The text was read back and gave the same report.',
    why: 'Why each flag is there',
    noFlags: 'No flag is needed: the engine’s defaults are what was asked for.',
    giveId:
      'Give the model by its Hub id, or put the path of its folder into the command yourself.',
    own: 'The same question for ridgepoint’s own command',
    ownHint:
      'It gives the same report in a terminal or in CI. Its exit status says whether it serves.',

    inTitle: 'Read a command',
    inLabel: 'Paste a serve command, docker run, a compose file or a Kubernetes manifest',
    inHint: 'It is read in this browser; nothing is uploaded. Drop a file here or',
    inEmpty: 'What each flag does to the estimate is shown here, before anything is changed.',
    chooseFile: 'choose one',
    clear: 'Clear',
    remove: 'Remove',
    pastedText: 'Pasted text',
    lines: (f, count) => `${f.whole(count)} ${f.plural(count, { one: 'line', other: 'lines' })}`,
    tooLarge: (name, limit) => `${name} is larger than ${limit}, the most that is read here.`,
    unreadable: 'The file could not be read. Choose it again.',
    readAs: (form) => `${form}:`,
    noModel: 'no model named',
    cards: (f, count) => `${f.whole(count)} ${f.plural(count, { one: 'card', other: 'cards' })}`,
    theCommand: (engine) => `${engine} as in the command`,
    useSetup: 'Use this setup',
    flags: 'Flags',
    noFlagsRead: 'The command sets no flag.',
    env: 'Variables',
    uses: {
      used: 'used',
      no_effect: 'no effect',
      unmodelled: 'not modelled',
      unknown: 'not known',
    },
    readAsLog: 'This looks like a log: read it as one',

    logTitle: 'Calibrate to my log',
    logLabel: 'Paste the log of a start, from the start command on',
    logHint: 'It is read in this browser; nothing is uploaded. Up to 96 MiB: drop a file here or',
    logEmpty:
      'A log of vLLM, SGLang, TensorRT-LLM or llama.cpp is set against the estimate, and tells why a start failed.',
    reading: 'Reading the log…',
    outcomes: {
      started: 'It started',
      refused: 'The engine refused to start',
      oom: 'It ran out of memory',
      error: 'It ended with an error',
      unfinished: 'The log ends before the start does',
    },
    noVersion: '(version not in the log)',
    notInLog: 'not in the log',
    cardCount: 'Cards',
    ranks: 'Processes',
    tightest: (f, count, rank) =>
      `${f.whole(count)}; the figures are those of ${rank}, the tightest`,
    ofModel: (model) => `The log is of the model on this page: ${model}`,
    compared: 'Measured against predicted',
    term: 'Term',
    measured: 'Measured',
    predicted: 'Predicted',
    inside: 'in the range',
    outside: 'outside',
    cause: 'Why:',
    terms: {
      tokens: 'Tokens in the pool',
      blocks: 'Blocks of the pool',
      max_concurrency: 'Concurrency as printed',
      requested: 'Claim of the engine',
    },
    useMeasured: 'Use the measured terms',
    useMeasuredHint:
      'The measured terms take the place of the estimates, in the setup that the log shows. “Use the estimates again” beside the inputs takes them out.',
    nothingMeasured: 'The log prints no size that could take the place of an estimate.',
    measuredTerms: 'setup and measured terms of the log',
    asLog: 'Set up as in the log',
    theLog: 'setup as in the log',
    copyRow: 'Copy as a row',
    row: 'row',
    rowHint: 'A row is the start as one line of JSON, for a table of starts.',
    copyMarkdown: 'Copy as Markdown',
    notes: 'To know about it',
  },
  ru: {
    noAnswer: 'Ответа пока нет, поэтому и команды нет.',
    outTitle: 'Запуск',
    form: 'Вид команды',
    forms: {
      shell: 'Команда',
      docker: 'docker run',
      compose: 'Compose',
      kubernetes: 'Kubernetes',
    },
    copy: 'Скопировать текст',
    download: (file) => `Скачать ${file}`,
    checked: 'Текст прочитан обратно и дал тот же отчёт.',
    why: 'Зачем каждый флаг',
    noFlags: 'Флаги не нужны: заданное совпадает с умолчаниями движка.',
    giveId: 'Задайте модель её id на хабе или сами впишите в команду путь к её папке.',
    own: 'Тот же вопрос для команды ridgepoint',
    ownHint:
      'Она даёт тот же отчёт в терминале или в CI. Код завершения говорит, будет ли модель обслуживаться.',

    inTitle: 'Прочитать команду',
    inLabel: 'Вставьте команду запуска, docker run, файл compose или манифест Kubernetes',
    inHint: 'Читается в этом браузере, никуда не отправляется. Перетащите файл сюда или',
    inEmpty: 'Здесь будет видно, что каждый флаг значит для оценки, до любых изменений.',
    chooseFile: 'выберите его',
    clear: 'Очистить',
    remove: 'Убрать',
    pastedText: 'Вставленный текст',
    lines: (f, count) =>
      `${f.whole(count)} ${f.plural(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' })}`,
    tooLarge: (name, limit) => `${name} больше ${limit}: столько здесь не читается.`,
    unreadable: 'Не удалось прочитать файл. Выберите его ещё раз.',
    readAs: (form) => `${form}:`,
    noModel: 'модель не названа',
    cards: (f, count) =>
      `${f.whole(count)} ${f.plural(count, { one: 'карта', few: 'карты', many: 'карт', other: 'карты' })}`,
    theCommand: (engine) => `${engine}, как в команде`,
    useSetup: 'Взять эту настройку',
    flags: 'Флаги',
    noFlagsRead: 'Команда не задаёт флагов.',
    env: 'Переменные',
    uses: {
      used: 'учтён',
      no_effect: 'не влияет',
      unmodelled: 'не моделируется',
      unknown: 'неизвестен',
    },
    readAsLog: 'Похоже на журнал: прочитать как журнал',

    logTitle: 'Сверить с моим журналом',
    logLabel: 'Вставьте журнал запуска, начиная с команды запуска',
    logHint:
      'Читается в этом браузере, никуда не отправляется. До 96 MiB: перетащите файл сюда или',
    logEmpty:
      'Журнал vLLM, SGLang, TensorRT-LLM или llama.cpp сравнивается с оценкой; видно и то, почему запуск не удался.',
    reading: 'Журнал читается…',
    outcomes: {
      started: 'Запуск удался',
      refused: 'Движок отказался запускаться',
      oom: 'Не хватило памяти',
      error: 'Запуск кончился ошибкой',
      unfinished: 'Журнал кончается раньше, чем запуск',
    },
    noVersion: '(версии в журнале нет)',
    notInLog: 'нет в журнале',
    cardCount: 'Карты',
    ranks: 'Процессы',
    tightest: (f, count, rank) => `${f.whole(count)}; числа взяты у ${rank}: там теснее всего`,
    ofModel: (model) => `Журнал относится к модели на этой странице: ${model}`,
    compared: 'Измерено и предсказано',
    term: 'Величина',
    measured: 'Измерено',
    predicted: 'Предсказано',
    inside: 'в пределах',
    outside: 'вне пределов',
    cause: 'Почему:',
    terms: {
      tokens: 'Токенов в пуле',
      blocks: 'Блоков в пуле',
      max_concurrency: 'Запросов, как печатает движок',
      requested: 'Сколько забирает движок',
    },
    useMeasured: 'Взять измеренные величины',
    useMeasuredHint:
      'Измеренное встаёт на место оценок, в той настройке, которую показывает журнал. Вернуть оценки можно рядом с входными данными.',
    nothingMeasured: 'В журнале нет размеров, которые могли бы заменить оценку.',
    measuredTerms: 'настройка и измеренные величины из журнала',
    asLog: 'Настроить как в журнале',
    theLog: 'настройка как в журнале',
    copyRow: 'Скопировать строкой',
    row: 'строка',
    rowHint: 'Строка — это запуск одной строкой JSON, для таблицы запусков.',
    copyMarkdown: 'Скопировать как Markdown',
    notes: 'Что нужно знать',
  },
  zh: {
    noAnswer: '还没有结果，因此没有命令可写。',
    outTitle: '启动命令',
    form: '命令的形式',
    forms: {
      shell: '命令行',
      docker: 'docker run',
      compose: 'Compose',
      kubernetes: 'Kubernetes',
    },
    copy: '复制文本',
    download: (file) => `下载 ${file}`,
    checked: '已将文本重新读入，得到相同的报告。',
    why: '每个参数的用途',
    noFlags: '不需要任何参数：引擎的默认值就是所要的设置。',
    giveId: '请用 Hub id 指定模型，或自行在命令中填入模型目录的路径。',
    own: '用 ridgepoint 命令提同样的问题',
    ownHint: '它在终端或 CI 中给出相同的报告，退出码表示能否提供服务。',

    inTitle: '读取命令',
    inLabel: '粘贴启动命令、docker run、compose 文件或 Kubernetes 清单',
    inHint: '只在此浏览器中读取，不会上传。将文件拖到这里，或',
    inEmpty: '在做任何改动之前，这里会显示每个参数对估算的作用。',
    chooseFile: '选择文件',
    clear: '清空',
    remove: '移除',
    pastedText: '粘贴的文本',
    lines: (f, count) => `${f.whole(count)} 行`,
    tooLarge: (name, limit) => `${name} 超过 ${limit}，这里不能读取。`,
    unreadable: '无法读取该文件，请重新选择。',
    readAs: (form) => `${form}：`,
    noModel: '未指明模型',
    cards: (f, count) => `${f.whole(count)} 张卡`,
    theCommand: (engine) => `${engine}，按命令设置`,
    useSetup: '使用此设置',
    flags: '参数',
    noFlagsRead: '命令没有设置任何参数。',
    env: '环境变量',
    uses: {
      used: '已采用',
      no_effect: '无影响',
      unmodelled: '未建模',
      unknown: '未知',
    },
    readAsLog: '这像是日志：按日志读取',

    logTitle: '用我的日志校准',
    logLabel: '粘贴启动日志，从启动命令开始',
    logHint: '只在此浏览器中读取，不会上传。最大 96 MiB：将文件拖到这里，或',
    logEmpty: '将 vLLM、SGLang、TensorRT-LLM 或 llama.cpp 的日志与估算对照，并说明启动失败的原因。',
    reading: '正在读取日志…',
    outcomes: {
      started: '启动成功',
      refused: '引擎拒绝启动',
      oom: '显存不足',
      error: '启动以错误告终',
      unfinished: '日志在启动完成之前就结束了',
    },
    noVersion: '（日志中没有版本）',
    notInLog: '日志中没有',
    cardCount: '显卡数',
    ranks: '进程',
    tightest: (f, count, rank) => `${f.whole(count)} 个；数值取自最紧张的 ${rank}`,
    ofModel: (model) => `日志对应本页的模型：${model}`,
    compared: '实测与预测对照',
    term: '项目',
    measured: '实测',
    predicted: '预测',
    inside: '在范围内',
    outside: '超出范围',
    cause: '原因：',
    terms: {
      tokens: '池中的 token 数',
      blocks: '池中的块数',
      max_concurrency: '引擎打印的并发数',
      requested: '引擎占用的显存',
    },
    useMeasured: '使用实测值',
    useMeasuredHint: '按日志中的设置，以实测值代替估算。在输入栏旁可恢复为估算值。',
    nothingMeasured: '日志没有打印可以代替估算的数值。',
    measuredTerms: '日志中的设置与实测值',
    asLog: '按日志设置',
    theLog: '按日志的设置',
    copyRow: '复制为一行',
    row: '行',
    rowHint: '一行是以 JSON 表示的一次启动，可放入启动记录表。',
    copyMarkdown: '复制为 Markdown',
    notes: '须知',
  },
};
