import type { Lang } from '../../locale';

export interface EnginesWords {
  title: string;
  intro(model: string, card: string): string;
  kept(engine: string): string;
  noAnswer: string;
  version(engine: string): string;
  newest(version: string): string;
  atHand: string;
  limit: string;
  flags: string;
  flagsHint: string;
  none: string;
  mend: string;
  mendWith(engine: string, change: string): string;
  tooFew(asked: string): string;
  use: string;
  useOf(engine: string): string;
  compare: string;
  compareOf(engine: string): string;
  made(engine: string): string;
  notAnswered: string;
  memory: string;
  part: string;
}

export const words: Record<Lang, EnginesWords> = {
  en: {
    title: 'The same on every engine',
    intro: (model, card) => `${model} on ${card}, with the load of the inputs.`,
    kept: (engine) =>
      `${engine} is as the inputs have it. The others come with their own defaults: model, card and load carry over, flags and measured terms do not.`,
    noAnswer: 'There is no answer yet. Once this setup has one, the engines are compared here.',
    version: (engine) => `Version of ${engine}`,
    newest: (version) => `${version}, newest`,
    atHand: 'in the inputs',
    limit: 'What limits it',
    flags: 'Flags to start it so',
    flagsHint: 'What is not named stays at the engine’s default.',
    none: 'none',
    mend: 'What mends it',
    mendWith: (engine, change) => `Use ${engine} with ${change}`,
    tooFew: (asked) => `For the ${asked} asked for`,
    use: 'Use this engine',
    useOf: (engine) => `Use this engine: ${engine}`,
    compare: 'Compare with this',
    compareOf: (engine) => `Compare with this: ${engine}`,
    made: (engine) => `B is the same on ${engine}`,
    notAnswered: 'No answer for this engine.',
    memory: 'Memory of one card, all on one scale',
    part: 'Part',
  },
  ru: {
    title: 'То же на каждом движке',
    intro: (model, card) => `${model} на ${card}, с нагрузкой из параметров.`,
    kept: (engine) =>
      `${engine} — как в параметрах. Остальные со своими значениями по умолчанию: модель, карта и нагрузка переносятся, флаги и измеренные слагаемые нет.`,
    noAnswer: 'Ответа пока нет. Когда он появится, здесь будут сравниваться движки.',
    version: (engine) => `Версия ${engine}`,
    newest: (version) => `${version}, новейшая`,
    atHand: 'в параметрах',
    limit: 'Что ограничивает',
    flags: 'Флаги для такого запуска',
    flagsHint: 'Что не названо, остаётся по умолчанию.',
    none: 'нет',
    mend: 'Что поможет',
    mendWith: (engine, change) => `Взять ${engine} с изменением: ${change}`,
    tooFew: (asked) => `Чтобы обслужить все ${asked}`,
    use: 'Взять этот движок',
    useOf: (engine) => `Взять этот движок: ${engine}`,
    compare: 'Сравнить с ним',
    compareOf: (engine) => `Сравнить с ним: ${engine}`,
    made: (engine) => `B — то же на ${engine}`,
    notAnswered: 'Для этого движка ответа нет.',
    memory: 'Память одной карты, все в одном масштабе',
    part: 'Часть',
  },
  zh: {
    title: '各引擎上的同一配置',
    intro: (model, card) => `${model}，${card}，负载与输入栏相同。`,
    kept: (engine) =>
      `${engine} 按输入栏的设置。其他引擎使用各自的默认值：模型、显卡和负载沿用，参数和实测项不沿用。`,
    noAnswer: '还没有结果。有了结果之后，这里会比较各引擎。',
    version: (engine) => `${engine} 的版本`,
    newest: (version) => `${version}（最新）`,
    atHand: '输入栏中的',
    limit: '受什么限制',
    flags: '如此启动所需的参数',
    flagsHint: '未列出的保持引擎默认值。',
    none: '无',
    mend: '如何解决',
    mendWith: (engine, change) => `使用 ${engine} 并改为 ${change}`,
    tooFew: (asked) => `为满足所需的 ${asked} 个请求`,
    use: '使用此引擎',
    useOf: (engine) => `使用此引擎：${engine}`,
    compare: '与此比较',
    compareOf: (engine) => `与此比较：${engine}`,
    made: (engine) => `B 为同一配置在 ${engine} 上`,
    notAnswered: '此引擎没有结果。',
    memory: '单卡显存（同一比例）',
    part: '部分',
  },
};
