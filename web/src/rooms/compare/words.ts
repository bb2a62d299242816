import type { Lang } from '../../locale';

export interface CompareWords {
  title: string;
  intro: string;
  /** With one setup only. */
  none: { lead: string; copy: string; or: string; noAnswer: string };
  variations: {
    card: string;
    count: string;
    cache: string;
    weights: string;
    engine: string;
    cards(count: string): string;
    cacheOf(format: string): string;
    make(what: string): string;
    made(what: string): string;
  };
  controls: {
    label: string;
    edit(side: string): string;
    edited(side: string): string;
    copy(from: string, to: string): string;
    copied(from: string, to: string): string;
    swap: string;
    swapped: string;
    remove: string;
    removed: string;
  };
  problem: string;
  stale: string;
  fetch: string;
  longest: string;
  memory: { title: string; part: string; difference: string; band: string };
  inputs: {
    title: string;
    same: string;
    input: string;
    notSet: string;
    standard: string;
    otherConfig: string;
    files: string;
    given: string;
    file: string;
  };
  differences: {
    title: string;
    pool: string;
    requests: string;
    same: string;
    term: string;
    difference: string;
    together: string;
    path: string;
    pathHint: string;
    change: string;
    ofWhich(from: string, to: string): string;
    missing(side: string): string;
    chart: string;
  };
  take: { title: string; copy(form: string): string; save(form: string): string; name: string };
}

export const words: Record<Lang, CompareWords> = {
  en: {
    title: 'Two setups side by side',
    intro: 'Changes in the inputs go to the setup that is switched on there.',
    none: {
      lead: 'Keep this setup as A, change something in a copy of it, B, and see what each change does to memory and requests.',
      copy: 'Copy this setup to B and change one thing',
      or: 'Or start B with a change',
      noAnswer: 'There is no answer yet. Once this setup has one, it can be compared.',
    },
    variations: {
      card: 'Another card',
      count: 'More cards',
      cache: 'KV cache',
      weights: 'Weights',
      engine: 'Another engine',
      cards: (count) => `${count} cards`,
      cacheOf: (format) => `${format} keys and values`,
      make: (what) => `B with ${what}`,
      made: (what) => `B is a copy of A with ${what}`,
    },
    controls: {
      label: 'Both setups',
      edit: (side) => `Edit ${side}`,
      edited: (side) => `The inputs show ${side}`,
      copy: (from, to) => `Copy ${from} to ${to}`,
      copied: (from, to) => `${to} is a copy of ${from}`,
      swap: 'Swap',
      swapped: 'A and B are swapped',
      remove: 'Remove B',
      removed: 'B is removed',
    },
    problem: 'This setup has no answer.',
    stale: 'The figures below are of its last good answer.',
    fetch: 'Its model has to be fetched first.',
    longest: 'Longest context',
    memory: {
      title: 'Memory of one card, both on one scale',
      part: 'Part',
      difference: 'Difference',
      band: 'KV pool may begin or end here',
    },
    inputs: {
      title: 'What differs in the inputs',
      same: 'Nothing. Both setups are the same: change one of them in the inputs.',
      input: 'Input',
      notSet: 'not set',
      standard: 'at its default',
      otherConfig: 'another text',
      files: 'Files of the weights',
      given: 'read',
      file: 'another file',
    },
    differences: {
      title: 'What makes the difference',
      pool: 'KV pool on one card',
      requests: 'Requests at once',
      same: 'no difference',
      term: 'Term',
      difference: 'Difference',
      together: 'Together',
      path: 'One change after the other',
      pathHint:
        'From A to B step by step. What a change does can depend on those made before it; together they are the whole difference.',
      change: 'Change',
      ofWhich: (from, to) => `${from} in A, ${to} in B`,
      missing: (side) => `${side} has no answer, so there is no difference to tell.`,
      chart: 'Less to the left, more to the right',
    },
    take: {
      title: 'Take it with you',
      copy: (form) => `Copy ${form}`,
      save: (form) => `Save ${form}`,
      name: 'comparison',
    },
  },
  ru: {
    title: 'Два варианта рядом',
    intro: 'Изменения в параметрах относятся к варианту, который там включён.',
    none: {
      lead: 'Этот вариант останется как A. Измените что-нибудь в его копии, B, и станет видно, что делает с памятью и запросами каждое изменение.',
      copy: 'Скопировать вариант в B и изменить что-то одно',
      or: 'Или начать B с готового изменения',
      noAnswer: 'Ответа пока нет. Когда он появится, вариант можно будет сравнивать.',
    },
    variations: {
      card: 'Другая карта',
      count: 'Больше карт',
      cache: 'KV-кэш',
      weights: 'Веса',
      engine: 'Другой движок',
      cards: (count) => `Карт: ${count}`,
      cacheOf: (format) => `Ключи и значения в ${format}`,
      make: (what) => `B с изменением: ${what}`,
      made: (what) => `B — копия A, отличие: ${what}`,
    },
    controls: {
      label: 'Оба варианта',
      edit: (side) => `Править ${side}`,
      edited: (side) => `Параметры показывают ${side}`,
      copy: (from, to) => `Скопировать ${from} в ${to}`,
      copied: (from, to) => `${to} — копия ${from}`,
      swap: 'Поменять местами',
      swapped: 'A и B поменялись местами',
      remove: 'Убрать B',
      removed: 'B убран',
    },
    problem: 'У этого варианта нет ответа.',
    stale: 'Ниже числа его последнего верного ответа.',
    fetch: 'Сначала нужно получить его модель.',
    longest: 'Наибольший контекст',
    memory: {
      title: 'Память одной карты, обе в одном масштабе',
      part: 'Часть',
      difference: 'Разница',
      band: 'Здесь может начинаться или кончаться пул KV',
    },
    inputs: {
      title: 'Чем отличаются параметры',
      same: 'Ничем. Варианты одинаковы: измените один из них в параметрах.',
      input: 'Параметр',
      notSet: 'не задано',
      standard: 'по умолчанию',
      otherConfig: 'другой текст',
      files: 'Файлы весов',
      given: 'прочитаны',
      file: 'другой файл',
    },
    differences: {
      title: 'Откуда разница',
      pool: 'Пул KV на одной карте',
      requests: 'Запросов одновременно',
      same: 'разницы нет',
      term: 'Слагаемое',
      difference: 'Разница',
      together: 'Вместе',
      path: 'Изменения одно за другим',
      pathHint:
        'Путь от A к B по шагам. Действие изменения может зависеть от сделанных до него; вместе они составляют всю разницу.',
      change: 'Изменение',
      ofWhich: (from, to) => `${from} в A, ${to} в B`,
      missing: (side) => `У варианта ${side} нет ответа, поэтому разницу назвать нельзя.`,
      chart: 'Влево — меньше, вправо — больше',
    },
    take: {
      title: 'Взять с собой',
      copy: (form) => `Скопировать ${form}`,
      save: (form) => `Сохранить ${form}`,
      name: 'сравнение',
    },
  },
  zh: {
    title: '并排比较两套配置',
    intro: '在输入栏中所做的更改，作用于那里选中的配置。',
    none: {
      lead: '当前配置保留为 A。在它的副本 B 中改动一处，即可看到每项改动对显存和请求数的影响。',
      copy: '把此配置复制到 B，再改动一处',
      or: '或者从一项现成的改动开始',
      noAnswer: '还没有结果。有了结果之后才能比较。',
    },
    variations: {
      card: '换显卡',
      count: '增加显卡',
      cache: 'KV 缓存',
      weights: '权重',
      engine: '换引擎',
      cards: (count) => `${count} 张显卡`,
      cacheOf: (format) => `键和值用 ${format}`,
      make: (what) => `B 改为：${what}`,
      made: (what) => `B 是 A 的副本，改动：${what}`,
    },
    controls: {
      label: '两套配置',
      edit: (side) => `编辑 ${side}`,
      edited: (side) => `输入栏显示 ${side}`,
      copy: (from, to) => `将 ${from} 复制到 ${to}`,
      copied: (from, to) => `${to} 已是 ${from} 的副本`,
      swap: '互换',
      swapped: 'A 与 B 已互换',
      remove: '移除 B',
      removed: 'B 已移除',
    },
    problem: '此配置没有结果。',
    stale: '以下是它上一次的有效结果。',
    fetch: '需要先获取它的模型。',
    longest: '最长上下文',
    memory: {
      title: '单卡显存（两者同一比例）',
      part: '部分',
      difference: '差值',
      band: 'KV 池可能在此开始或结束',
    },
    inputs: {
      title: '输入有何不同',
      same: '没有不同。两套配置完全一样：请在输入栏中改动其中一套。',
      input: '输入项',
      notSet: '未设置',
      standard: '默认值',
      otherConfig: '内容不同',
      files: '权重文件',
      given: '已读取',
      file: '另一个文件',
    },
    differences: {
      title: '差别从何而来',
      pool: '单卡 KV 池',
      requests: '并发请求',
      same: '没有差别',
      term: '项',
      difference: '差值',
      together: '合计',
      path: '逐项改动',
      pathHint: '从 A 到 B 一步一步改。一项改动的影响可能取决于之前的改动；合起来就是全部差别。',
      change: '改动',
      ofWhich: (from, to) => `A 为 ${from}，B 为 ${to}`,
      missing: (side) => `${side} 没有结果，因此无法说明差别。`,
      chart: '左为减少，右为增加',
    },
    take: {
      title: '带走结果',
      copy: (form) => `复制 ${form}`,
      save: (form) => `保存 ${form}`,
      name: '比较',
    },
  },
};
