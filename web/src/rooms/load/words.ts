import type { Lang } from '../../locale';
import type { Typed } from './query';
import type { Arrival, Flow, Preset, Spread } from './settings';

export interface LoadWords {
  title: string;
  intro(model: string, card: string): string;
  none: string;
  form: {
    traffic: string;
    presets: Record<Preset, string>;
    about: Record<Preset, string>;
    coming: string;
    arrive: string;
    arrivals: Record<Arrival, string>;
    rate: string;
    people: string;
    flow: string;
    flows: Record<Flow, string>;
    lengths: string;
    input: string;
    output: string;
    spread: string;
    spreads: Record<Spread, string>;
    cached: string;
    shared: string;
    session: string;
    cachedHint: string;
    goal: string;
    goalHint: string;
    ttft: string;
    pace: string;
    paceUnit: string;
    paceUnits: Record<'per_s' | 'ms', string>;
    share: string;
    shareUnit: string;
    more: string;
    requests: string;
    seed: string;
    speedUp: string;
    noGoal: string;
    tokens: string;
    times: string;
    perSecond: string;
    unreadable: Record<Typed, string>;
  };
  trace: {
    label: string;
    paste: string;
    hint: string;
    file: string;
    pasted: string;
    lines(name: string, lines: string): string;
    other: string;
    tooLarge: string;
    missing(name: string): string;
    stays: string;
  };
  run: {
    working: string;
    progress(finished: string, asked: string): string;
    state(time: string, running: string, waiting: string): string;
    /** What several simulations are made for, and how many are done. */
    notes: Record<'seed' | 'curve' | 'change', string>;
    runs(count: string): string;
    share: string;
    stop: string;
    stopped: string;
    again: string;
    earlier: string;
    fix: string;
    failed: string;
    notServed: string;
    toField: string;
  };
  verdict: {
    meets: string;
    tight: string;
    tightWhy: string;
    misses: string;
    noGoal: string;
    share(share: string, aim: string, goal: string): string;
    goal(goal: string): string;
    goalTtft(time: string): string;
    goalPace(perSecond: string, time: string): string;
    and: string;
    took(finished: string, time: string): string;
    refused(count: string): string;
    longer(tokens: string): string;
    modelEnds(tokens: string): string;
  };
  figures: {
    ttft: string;
    tpot: string;
    perSecond: string;
    median: string;
    throughput: string;
    prompts(perSecond: string): string;
    requests: string;
    goodput: string;
    within: string;
    cost: string;
    hourly(price: string): string;
    noPrice: string;
  };
  latency: {
    title: string;
    time: string;
    rows: Record<'ttft_s' | 'tpot_s' | 'itl_s' | 'e2e_s' | 'queue_s', string>;
    short: Record<'ttft_s' | 'tpot_s' | 'itl_s' | 'e2e_s' | 'queue_s', string>;
    mean: string;
    goal: string;
    bands(ttft: string, tpot: string): string;
  };
  most: {
    title: string;
    intro: string;
    needsGoal: string;
    find: string;
    again: string;
    stale: string;
    working: string;
    carries: Record<'rate' | 'concurrency', (value: string) => string>;
    range(range: string): string;
    nothing: string;
    knee: string;
    here: string;
    best: string;
    axis: Record<'rate' | 'concurrency', string>;
    short: Record<'rate' | 'concurrency', string>;
    ttftTitle: string;
    tpotTitle: string;
    sharesTitle: string;
    p50: string;
    p99: string;
    goal(time: string): string;
    time: string;
    point(load: string, p50: string, p99: string): string;
    sharePoint(load: string, share: string, kv: string): string;
    /** Behind what is said of such a point. */
    pilesUp: string;
    standing: { title: string; meets: string; misses: string; pilesUp: string };
    meeting: string;
    kv: string;
    share: string;
    changes: string;
    gain(value: string, before: string, percent: string): string;
    apply: string;
    applyLabel(change: string): string;
    noChange: string;
    throughput: string;
    cost: string;
  };
  course: {
    title: string;
    kv: string;
    kvAxis: string;
    kvLine: string;
    requests: string;
    requestsAxis: string;
    running: string;
    waiting: string;
    seconds: string;
    minutes: string;
    kvPoint(time: string, share: string): string;
    point(time: string, running: string, waiting: string): string;
    mean(mean: string, peak: string): string;
    poolOf(tokens: string): string;
    preempted(count: string, tokens: string): string;
    notPreempted: string;
    preemptions: string;
    hit(tokens: string): string;
  };
  steps: {
    title: string;
    chart: string;
    part: string;
    share: string;
    time: string;
    parts: Record<
      | 'linear_s'
      | 'attention_s'
      | 'experts_s'
      | 'communication_s'
      | 'head_s'
      | 'elementwise_s'
      | 'host_s'
      | 'idle_s',
      string
    >;
    used(compute: string, bandwidth: string, steps: string): string;
  };
  limit: { title: string; toMost: string };
  assumed: string;
}

const en: LoadWords = {
  title: 'Under load',
  intro: (model, card) =>
    `${model} on ${card}, with requests as they come: the scheduler of the engine is followed step by step.`,
  none: 'There is no answer yet. Once this setup has one, it can be tried under a load.',
  form: {
    traffic: 'What it serves',
    presets: {
      chat: 'Chat',
      coding_agent: 'Coding agent',
      rag: 'RAG over documents',
      batch: 'Batch overnight',
      reasoning: 'Reasoning',
      own: 'Own numbers',
      trace: 'Replay a trace',
    },
    about: {
      chat: 'Prompts of about a thousand tokens, for each turn brings the talk so far along, and short answers.',
      coding_agent: 'Long prompts that grow with every step, most of which the cache has already.',
      rag: 'Long prompts with passages from documents, answers of a few hundred tokens.',
      batch: 'Everything is there at the start, and nobody waits for a first token.',
      reasoning: 'Short prompts, and thousands of tokens of thought before the answer ends.',
      own: 'The lengths that you give; empty ones are those of the inputs.',
      trace: 'Requests as they were recorded, with their own times and lengths.',
    },
    coming: 'How requests come',
    arrive: 'They come',
    arrivals: {
      rate: 'at a rate',
      closed: 'from so many people',
      at_once: 'all at once',
    },
    rate: 'Requests',
    people: 'People at once',
    flow: 'How steadily',
    flows: {
      even: 'steadily',
      uneven: 'unevenly',
      waves: 'in waves',
    },
    lengths: 'How long they are',
    input: 'Prompt',
    output: 'Answer',
    spread: 'Lengths',
    spreads: { same: 'all the same', near: 'within 20 %', far: 'within 50 %' },
    cached: 'What repeats',
    shared: 'Start that all prompts share',
    session: 'Of a prompt, sent before',
    cachedHint: 'What the prefix cache of the engine need not compute again.',
    goal: 'The goal',
    goalHint: 'Empty fields set no goal.',
    ttft: 'First token within',
    pace: 'Then a pace of',
    paceUnit: 'Unit of the pace',
    paceUnits: { per_s: 'tokens/s or more', ms: 'ms/token or less' },
    share: 'For',
    shareUnit: '% of requests',
    more: 'How it is tried',
    requests: 'Number of requests',
    seed: 'Seed',
    speedUp: 'Faster than recorded',
    noGoal: 'none',
    tokens: 'tokens',
    times: 'times',
    perSecond: 'a second',
    unreadable: {
      rate: 'Give the requests a second as a number above 0.',
      people: 'Give the people as a whole number above 0.',
      input: 'Give the tokens as a whole number above 0, or leave it empty.',
      output: 'Give the tokens as a whole number above 0, or leave it empty.',
      shared: 'Give the tokens as a whole number, or leave it empty.',
      session: 'Give a share from 0 to 99 %, or leave it empty.',
      ttft: 'Give the time as a number of milliseconds above 0, or leave it empty.',
      pace: 'Give the pace as a number above 0, or leave it empty.',
      share: 'Give a share above 0 and up to 100 %.',
      requests: 'Give the number as a whole one above 0, or leave it empty.',
      seed: 'Give a whole number, or leave it empty.',
      speedUp: 'Give a number above 0, or leave it empty.',
    },
  },
  trace: {
    label: 'The trace',
    paste: 'Paste it here',
    hint: 'CSV with a heading, or JSON lines: when each request came (timestamp, or start_time_ms where the name is to say the unit; a number or a date), the tokens of its prompt (input_tokens) and of its answer (output_tokens). Azure, Mooncake and BurstGPT traces are read as they are. Or drop a file here. It stays in this browser.',
    file: 'Choose a file',
    pasted: 'pasted text',
    lines: (name, lines) => `${name}, ${lines} lines`,
    other: 'Take another trace',
    tooLarge: 'The file is larger than a trace can be (64 MiB).',
    missing: (name) => `The link names the trace ${name}, which is not in it: give it again.`,
    stays: 'It is too long for a link, and stays in this tab.',
  },
  run: {
    working: 'Working it out',
    progress: (finished, asked) => `${finished} of ${asked} requests`,
    state: (time, running, waiting) =>
      `${time} of the load, ${running} running, ${waiting} waiting`,
    notes: {
      seed: 'with requests drawn anew',
      curve: 'at more and less than that',
      change: 'with changes of the setup',
    },
    runs: (count) => `${count} simulations done`,
    share: 'How far it is',
    stop: 'Stop',
    stopped: 'Stopped.',
    again: 'Simulate again',
    earlier: 'What is shown is of the settings before.',
    fix: 'One of the fields cannot be read. What is shown is of the settings before.',
    failed: 'This load cannot be tried.',
    notServed: 'It does not start, so there is nothing to put under a load.',
    toField: 'To the field',
  },
  verdict: {
    meets: 'Meets the goal',
    tight: 'Meets the goal, just so',
    tightWhy: 'At the upper end of the range it would miss it.',
    misses: 'Misses the goal',
    noGoal: 'No goal is set',
    share: (share, aim, goal) =>
      `${share} of the requests keep to it, ${aim} are meant to: ${goal}.`,
    goal: (goal) => `The goal: ${goal}.`,
    goalTtft: (time) => `first token within ${time}`,
    goalPace: (perSecond, time) => `then ${perSecond} tokens a second (one every ${time})`,
    and: ', ',
    took: (finished, time) => `${finished} requests in ${time}`,
    refused: (count) => `${count} refused:`,
    longer: (tokens) => `Take requests of up to ${tokens} tokens`,
    modelEnds: (tokens) => `The model itself takes no more than ${tokens} tokens.`,
  },
  figures: {
    ttft: 'First token, 99 of 100 within',
    tpot: 'A token every, 99 of 100 within',
    perSecond: 'tokens/s',
    median: 'half of them within',
    throughput: 'Answers',
    prompts: (perSecond) => `${perSecond} with those of the prompts`,
    requests: 'requests/s',
    goodput: 'Within the goal',
    within: 'of all requests',
    cost: 'A million tokens of answers',
    hourly: (price) => `at ${price} an hour for all cards`,
    noPrice: 'no price is known',
  },
  latency: {
    title: 'How long it takes',
    time: 'Time',
    rows: {
      ttft_s: 'First token (TTFT)',
      tpot_s: 'A token every (TPOT)',
      itl_s: 'Gap between tokens (ITL)',
      e2e_s: 'Whole request',
      queue_s: 'Waiting before',
    },
    short: {
      ttft_s: 'TTFT',
      tpot_s: 'TPOT',
      itl_s: 'ITL',
      e2e_s: 'Whole',
      queue_s: 'Waiting',
    },
    mean: 'mean',
    goal: 'goal',
    bands: (ttft, tpot) =>
      `On a real server the first token should take ${ttft} times that, and further tokens ${tpot} times.`,
  },
  most: {
    title: 'The most it carries',
    intro:
      'The load is raised until the goal is missed, with requests drawn anew several times, and changes that carry more are tried out. This may take some seconds.',
    needsGoal: 'Set a goal above, and the most that keeps to it can be found.',
    find: 'Find the most it carries',
    again: 'Find it again',
    stale: 'This is of the settings before.',
    working: 'Raising the load',
    carries: {
      rate: (value) => `Carries ${value} requests a second`,
      concurrency: (value) => `Carries ${value} people at once`,
    },
    range: (range) => `It is ${range} by the draw of the requests.`,
    nothing: 'Carries nothing within the goal: a single request misses it already.',
    knee: 'knee',
    here: 'asked',
    best: 'most',
    axis: { rate: 'requests a second', concurrency: 'people at once' },
    short: { rate: 'requests/s', concurrency: 'people' },
    ttftTitle: 'First token against the load',
    tpotTitle: 'Time per token against the load',
    sharesTitle: 'Requests within the goal, and KV cache, against the load',
    p50: 'half of them',
    p99: '99 of 100',
    goal: (time) => `goal ${time}`,
    time: 'time',
    point: (load, p50, p99) => `${load}: half within ${p50}, 99 of 100 within ${p99}.`,
    sharePoint: (load, share, kv) =>
      `${load}: ${share} within the goal, KV cache at most ${kv} full.`,
    pilesUp: ' It misses the goal all the same: requests pile up, for more come than are answered.',
    standing: {
      title: 'goal',
      meets: 'met',
      misses: 'missed',
      pilesUp: 'missed: requests pile up',
    },
    meeting: 'requests within the goal',
    kv: 'KV cache at most',
    share: 'share',
    changes: 'What carries more, with the first draw of the requests',
    gain: (value, before, percent) => `${value} instead of ${before}, ${percent}`,
    apply: 'Apply',
    applyLabel: (change) => `Apply: ${change}`,
    noChange: 'Of the changes that were tried, none carries more.',
    throughput: 'Answers there',
    cost: 'A million tokens of answers there',
  },
  course: {
    title: 'How it went',
    kv: 'KV cache over time',
    kvAxis: 'occupied',
    kvLine: 'KV cache occupied',
    requests: 'Requests over time',
    requestsAxis: 'requests',
    running: 'running',
    waiting: 'waiting',
    seconds: 'seconds',
    minutes: 'minutes',
    kvPoint: (time, share) => `After ${time}: ${share} occupied.`,
    point: (time, running, waiting) => `After ${time}: ${running} running, ${waiting} waiting.`,
    mean: (mean, peak) => `${mean} on average, ${peak} at most`,
    poolOf: (tokens) => `The pool holds ${tokens} tokens.`,
    preempted: (count, tokens) => `Preempted ${count} times: ${tokens} tokens were computed again.`,
    notPreempted: 'No request was preempted.',
    preemptions: 'preemptions',
    hit: (tokens) => `${tokens} tokens of prompts were in the prefix cache already.`,
  },
  steps: {
    title: 'Where the time goes',
    chart: 'Where the time goes',
    part: 'Part',
    share: 'Share',
    time: 'Time',
    parts: {
      linear_s: 'Linear layers',
      attention_s: 'Attention',
      experts_s: 'Experts',
      communication_s: 'Between cards',
      head_s: 'Output head',
      elementwise_s: 'Elementwise',
      host_s: 'Host',
      idle_s: 'Idle',
    },
    used: (compute, bandwidth, steps) =>
      `Over ${steps} steps the cards used ${compute} of their compute and ${bandwidth} of their bandwidth.`,
  },
  limit: {
    title: 'What limits it',
    toMost: 'Changes that carry more are tried out with “Find the most it carries”.',
  },
  assumed: 'What was taken for granted',
};

const ru: LoadWords = {
  title: 'Под нагрузкой',
  intro: (model, card) =>
    `${model} на ${card}, запросы приходят как в жизни: планировщик движка проходится шаг за шагом.`,
  none: 'Ответа пока нет. Когда он появится, эту конфигурацию можно испытать под нагрузкой.',
  form: {
    traffic: 'Что обслуживается',
    presets: {
      chat: 'Чат',
      coding_agent: 'Агент-программист',
      rag: 'RAG по документам',
      batch: 'Пакет на ночь',
      reasoning: 'Рассуждения',
      own: 'Свои числа',
      trace: 'Повтор записи',
    },
    about: {
      chat: 'Промпты около тысячи токенов: каждая реплика несёт с собой весь разговор; ответы короткие.',
      coding_agent: 'Длинные промпты, растущие с каждым шагом; большая их часть уже в кэше.',
      rag: 'Длинные промпты с выдержками из документов, ответы в несколько сотен токенов.',
      batch: 'Всё есть с самого начала, и первого токена никто не ждёт.',
      reasoning: 'Короткие промпты и тысячи токенов размышлений, прежде чем ответ закончится.',
      own: 'Длины, которые вы зададите; пустые берутся из параметров.',
      trace: 'Запросы, как они были записаны, со своими временами и длинами.',
    },
    coming: 'Как приходят запросы',
    arrive: 'Они приходят',
    arrivals: {
      rate: 'с частотой',
      closed: 'от стольких людей',
      at_once: 'все сразу',
    },
    rate: 'Запросов',
    people: 'Людей одновременно',
    flow: 'Насколько ровно',
    flows: { even: 'ровно', uneven: 'неровно', waves: 'волнами' },
    lengths: 'Какой они длины',
    input: 'Промпт',
    output: 'Ответ',
    spread: 'Длины',
    spreads: { same: 'одинаковы', near: 'в пределах 20 %', far: 'в пределах 50 %' },
    cached: 'Что повторяется',
    shared: 'Общее начало всех промптов',
    session: 'Из промпта уже отправлено',
    cachedHint: 'Чего кэш префиксов движка не вычисляет заново.',
    goal: 'Цель',
    goalHint: 'Пустые поля цели не задают.',
    ttft: 'Первый токен за',
    pace: 'Затем темп',
    paceUnit: 'Единица темпа',
    paceUnits: { per_s: 'токенов/с и больше', ms: 'мс/токен и меньше' },
    share: 'Для',
    shareUnit: '% запросов',
    more: 'Как это испытывается',
    requests: 'Число запросов',
    seed: 'Зерно случайности',
    speedUp: 'Быстрее записи',
    noGoal: 'нет',
    tokens: 'токенов',
    times: 'раз',
    perSecond: 'в секунду',
    unreadable: {
      rate: 'Укажите запросы в секунду числом больше 0.',
      people: 'Укажите людей целым числом больше 0.',
      input: 'Укажите токены целым числом больше 0 или оставьте пустым.',
      output: 'Укажите токены целым числом больше 0 или оставьте пустым.',
      shared: 'Укажите токены целым числом или оставьте пустым.',
      session: 'Укажите долю от 0 до 99 % или оставьте пустым.',
      ttft: 'Укажите время числом миллисекунд больше 0 или оставьте пустым.',
      pace: 'Укажите темп числом больше 0 или оставьте пустым.',
      share: 'Укажите долю больше 0 и до 100 %.',
      requests: 'Укажите целое число больше 0 или оставьте пустым.',
      seed: 'Укажите целое число или оставьте пустым.',
      speedUp: 'Укажите число больше 0 или оставьте пустым.',
    },
  },
  trace: {
    label: 'Запись',
    paste: 'Вставьте её сюда',
    hint: 'CSV с заголовком или строки JSON: когда пришёл запрос (timestamp или start_time_ms, если единицу должно назвать имя; число или дата), токены промпта (input_tokens) и ответа (output_tokens). Записи Azure, Mooncake и BurstGPT читаются как есть. Или перетащите сюда файл. Она остаётся в этом браузере.',
    file: 'Выбрать файл',
    pasted: 'вставленный текст',
    lines: (name, lines) => `${name}, строк: ${lines}`,
    other: 'Взять другую запись',
    tooLarge: 'Файл больше, чем может быть запись (64 МиБ).',
    missing: (name) => `Ссылка называет запись ${name}, но не содержит её: задайте её снова.`,
    stays: 'Для ссылки она слишком длинна и остаётся в этой вкладке.',
  },
  run: {
    working: 'Идёт расчёт',
    progress: (finished, asked) => `${finished} из ${asked} запросов`,
    state: (time, running, waiting) => `${time} нагрузки, выполняется ${running}, ждёт ${waiting}`,
    notes: {
      seed: 'запросы выбираются заново',
      curve: 'при большей и меньшей нагрузке',
      change: 'с изменениями конфигурации',
    },
    runs: (count) => `симуляций: ${count}`,
    share: 'Сколько пройдено',
    stop: 'Остановить',
    stopped: 'Остановлено.',
    again: 'Просчитать снова',
    earlier: 'Показано то, что было при прежних настройках.',
    fix: 'Одно из полей не читается. Показано то, что было при прежних настройках.',
    failed: 'Эту нагрузку испытать нельзя.',
    notServed: 'Она не запускается, так что нагружать нечего.',
    toField: 'К полю',
  },
  verdict: {
    meets: 'Цель достигнута',
    tight: 'Цель достигнута, но впритык',
    tightWhy: 'На верхнем краю диапазона она бы не выполнялась.',
    misses: 'Цель не достигнута',
    noGoal: 'Цель не задана',
    share: (share, aim, goal) => `Её выдерживают ${share} запросов, нужно ${aim}: ${goal}.`,
    goal: (goal) => `Цель: ${goal}.`,
    goalTtft: (time) => `первый токен за ${time}`,
    goalPace: (perSecond, time) => `затем ${perSecond} токенов в секунду (один за ${time})`,
    and: ', ',
    took: (finished, time) => `запросов: ${finished}, за ${time}`,
    refused: (count) => `Отклонено ${count}:`,
    longer: (tokens) => `Принимать запросы до ${tokens} токенов`,
    modelEnds: (tokens) => `Сама модель принимает не больше ${tokens} токенов.`,
  },
  figures: {
    ttft: 'Первый токен, 99 из 100 не дольше',
    tpot: 'Токен за, 99 из 100 не дольше',
    perSecond: 'токенов/с',
    median: 'половина не дольше',
    throughput: 'Ответы',
    prompts: (perSecond) => `${perSecond} вместе с промптами`,
    requests: 'запросов/с',
    goodput: 'В пределах цели',
    within: 'всех запросов',
    cost: 'Миллион токенов ответов',
    hourly: (price) => `при ${price} в час за все карты`,
    noPrice: 'цена неизвестна',
  },
  latency: {
    title: 'Сколько это длится',
    time: 'Время',
    rows: {
      ttft_s: 'Первый токен (TTFT)',
      tpot_s: 'Токен за (TPOT)',
      itl_s: 'Между токенами (ITL)',
      e2e_s: 'Весь запрос',
      queue_s: 'Ожидание до начала',
    },
    short: {
      ttft_s: 'TTFT',
      tpot_s: 'TPOT',
      itl_s: 'ITL',
      e2e_s: 'Весь',
      queue_s: 'Ждёт',
    },
    mean: 'среднее',
    goal: 'цель',
    bands: (ttft, tpot) =>
      `На настоящем сервере первый токен займёт ${ttft} этого времени, следующие — ${tpot}.`,
  },
  most: {
    title: 'Сколько она выдержит',
    intro:
      'Нагрузка растёт, пока цель не перестанет выполняться; запросы несколько раз выбираются заново, и пробуются изменения, с которыми выдержит больше. Это может занять несколько секунд.',
    needsGoal: 'Задайте цель выше, и найдётся наибольшая нагрузка, при которой она выполняется.',
    find: 'Найти, сколько она выдержит',
    again: 'Найти снова',
    stale: 'Это при прежних настройках.',
    working: 'Нагрузка растёт',
    carries: {
      rate: (value) => `Выдерживает ${value} запросов в секунду`,
      concurrency: (value) => `Выдерживает ${value} людей одновременно`,
    },
    range: (range) => `Смотря как выпадут запросы: ${range}.`,
    nothing: 'В пределах цели не выдерживает ничего: её нарушает уже один запрос.',
    knee: 'излом',
    here: 'задано',
    best: 'предел',
    axis: { rate: 'запросов в секунду', concurrency: 'людей одновременно' },
    short: { rate: 'запросов/с', concurrency: 'людей' },
    ttftTitle: 'Первый токен в зависимости от нагрузки',
    tpotTitle: 'Время на токен в зависимости от нагрузки',
    sharesTitle: 'Запросы в пределах цели и кэш KV в зависимости от нагрузки',
    p50: 'половина',
    p99: '99 из 100',
    goal: (time) => `цель ${time}`,
    time: 'время',
    point: (load, p50, p99) => `${load}: половина за ${p50}, 99 из 100 за ${p99}.`,
    sharePoint: (load, share, kv) =>
      `${load}: ${share} в пределах цели, кэш KV занят самое большее на ${kv}.`,
    pilesUp:
      ' Цель всё равно не достигнута: запросы копятся, приходит их больше, чем получает ответ.',
    standing: {
      title: 'цель',
      meets: 'достигнута',
      misses: 'не достигнута',
      pilesUp: 'не достигнута: запросы копятся',
    },
    meeting: 'запросы в пределах цели',
    kv: 'кэш KV самое большее',
    share: 'доля',
    changes: 'С чем выдержит больше, при первой выборке запросов',
    gain: (value, before, percent) => `${value} вместо ${before}, ${percent}`,
    apply: 'Применить',
    applyLabel: (change) => `Применить: ${change}`,
    noChange: 'Из испробованных изменений ни одно не выдерживает больше.',
    throughput: 'Ответы на пределе',
    cost: 'Миллион токенов ответов на пределе',
  },
  course: {
    title: 'Как это шло',
    kv: 'Кэш KV во времени',
    kvAxis: 'занято',
    kvLine: 'занято в кэше KV',
    requests: 'Запросы во времени',
    requestsAxis: 'запросы',
    running: 'выполняются',
    waiting: 'ждут',
    seconds: 'секунды',
    minutes: 'минуты',
    kvPoint: (time, share) => `Спустя ${time}: занято ${share}.`,
    point: (time, running, waiting) => `Спустя ${time}: выполняется ${running}, ждёт ${waiting}.`,
    mean: (mean, peak) => `в среднем ${mean}, самое большее ${peak}`,
    poolOf: (tokens) => `Пул вмещает токенов: ${tokens}.`,
    preempted: (count, tokens) => `Вытеснений: ${count}; токенов вычислено заново: ${tokens}.`,
    notPreempted: 'Ни один запрос не вытеснялся.',
    preemptions: 'вытеснения',
    hit: (tokens) => `Токенов промптов уже в кэше префиксов: ${tokens}.`,
  },
  steps: {
    title: 'На что уходит время',
    chart: 'На что уходит время',
    part: 'Часть',
    share: 'Доля',
    time: 'Время',
    parts: {
      linear_s: 'Линейные слои',
      attention_s: 'Внимание',
      experts_s: 'Эксперты',
      communication_s: 'Между картами',
      head_s: 'Выходной слой',
      elementwise_s: 'Поэлементное',
      host_s: 'Процессор',
      idle_s: 'Простой',
    },
    used: (compute, bandwidth, steps) =>
      `Шагов: ${steps}; карты использовали ${compute} вычислений и ${bandwidth} пропускной способности.`,
  },
  limit: {
    title: 'Что ограничивает',
    toMost: 'Изменения, с которыми выдержит больше, пробует «Найти, сколько она выдержит».',
  },
  assumed: 'Что принято без проверки',
};

const zh: LoadWords = {
  title: '负载下',
  intro: (model, card) => `${model}，${card}，请求按实际方式到达：逐步模拟引擎的调度器。`,
  none: '还没有结果。有了结果之后，可以在这里对该配置施加负载。',
  form: {
    traffic: '服务什么',
    presets: {
      chat: '聊天',
      coding_agent: '编程智能体',
      rag: '文档 RAG',
      batch: '夜间批处理',
      reasoning: '推理思考',
      own: '自定数值',
      trace: '重放记录',
    },
    about: {
      chat: '提示词约一千个词元：每一轮都带上之前的对话；回答短。',
      coding_agent: '提示词很长，每一步都在增长，其中大部分已在缓存里。',
      rag: '提示词长，含文档片段，回答数百个词元。',
      batch: '一开始就全部到齐，没有人等待首个词元。',
      reasoning: '提示词短，回答结束前要思考数千个词元。',
      own: '由您给出长度；留空则取输入栏的值。',
      trace: '按记录的时间和长度重放请求。',
    },
    coming: '请求如何到达',
    arrive: '到达方式',
    arrivals: { rate: '按速率', closed: '固定人数同时使用', at_once: '一次全部到达' },
    rate: '请求数',
    people: '同时使用的人数',
    flow: '均匀程度',
    flows: { even: '平稳', uneven: '不均匀', waves: '一阵一阵' },
    lengths: '请求多长',
    input: '提示词',
    output: '回答',
    spread: '长度',
    spreads: { same: '全部相同', near: '上下 20 %', far: '上下 50 %' },
    cached: '重复的部分',
    shared: '所有提示词共有的开头',
    session: '提示词中此前已发送的',
    cachedHint: '引擎的前缀缓存不必重新计算的部分。',
    goal: '目标',
    goalHint: '留空即不设目标。',
    ttft: '首个词元不超过',
    pace: '之后的速度',
    paceUnit: '速度的单位',
    paceUnits: { per_s: '词元/秒以上', ms: '毫秒/词元以下' },
    share: '适用于',
    shareUnit: '% 的请求',
    more: '如何试验',
    requests: '请求总数',
    seed: '随机种子',
    speedUp: '比记录快',
    noGoal: '无',
    tokens: '词元',
    times: '倍',
    perSecond: '每秒',
    unreadable: {
      rate: '请给出大于 0 的每秒请求数。',
      people: '请给出大于 0 的整数人数。',
      input: '请给出大于 0 的整数词元数，或留空。',
      output: '请给出大于 0 的整数词元数，或留空。',
      shared: '请给出整数词元数，或留空。',
      session: '请给出 0 到 99 % 的比例，或留空。',
      ttft: '请给出大于 0 的毫秒数，或留空。',
      pace: '请给出大于 0 的速度，或留空。',
      share: '请给出大于 0 且不超过 100 % 的比例。',
      requests: '请给出大于 0 的整数，或留空。',
      seed: '请给出整数，或留空。',
      speedUp: '请给出大于 0 的数，或留空。',
    },
  },
  trace: {
    label: '记录',
    paste: '粘贴到这里',
    hint: '带表头的 CSV 或 JSON 行：每个请求何时到达（timestamp，或用 start_time_ms 这样的列名说明单位；数字或日期）、提示词（input_tokens）和回答（output_tokens）各多少词元。Azure、Mooncake、BurstGPT 的记录可直接读取。也可把文件拖到这里。内容只留在此浏览器中。',
    file: '选择文件',
    pasted: '粘贴的文本',
    lines: (name, lines) => `${name}，${lines} 行`,
    other: '换一份记录',
    tooLarge: '文件超过记录的上限（64 MiB）。',
    missing: (name) => `链接提到记录 ${name}，但其中没有内容：请重新提供。`,
    stays: '它太长，放不进链接，只留在此标签页中。',
  },
  run: {
    working: '正在计算',
    progress: (finished, asked) => `${asked} 个请求中的 ${finished} 个`,
    state: (time, running, waiting) => `负载已过 ${time}，运行 ${running}，等待 ${waiting}`,
    notes: { seed: '重新抽取请求', curve: '更高和更低的负载', change: '改动配置' },
    runs: (count) => `已完成 ${count} 次模拟`,
    share: '进度',
    stop: '停止',
    stopped: '已停止。',
    again: '重新模拟',
    earlier: '所示为先前设置的结果。',
    fix: '有一项无法识别。所示为先前设置的结果。',
    failed: '无法试验此负载。',
    notServed: '它无法启动，因此无从施加负载。',
    toField: '转到该项',
  },
  verdict: {
    meets: '达到目标',
    tight: '勉强达到目标',
    tightWhy: '在范围上限处则达不到。',
    misses: '未达到目标',
    noGoal: '未设目标',
    share: (share, aim, goal) => `${share} 的请求达到，要求为 ${aim}：${goal}。`,
    goal: (goal) => `目标：${goal}。`,
    goalTtft: (time) => `首个词元不超过 ${time}`,
    goalPace: (perSecond, time) => `之后每秒 ${perSecond} 个词元（每个 ${time}）`,
    and: '，',
    took: (finished, time) => `${finished} 个请求，历时 ${time}`,
    refused: (count) => `拒绝 ${count} 个：`,
    longer: (tokens) => `接受最长 ${tokens} 个词元的请求`,
    modelEnds: (tokens) => `模型本身最多接受 ${tokens} 个词元。`,
  },
  figures: {
    ttft: '首个词元，99 % 不超过',
    tpot: '每个词元，99 % 不超过',
    perSecond: '词元/秒',
    median: '一半不超过',
    throughput: '回答',
    prompts: (perSecond) => `连同提示词 ${perSecond}`,
    requests: '请求/秒',
    goodput: '目标之内',
    within: '的请求',
    cost: '每百万回答词元',
    hourly: (price) => `全部显卡每小时 ${price}`,
    noPrice: '价格未知',
  },
  latency: {
    title: '耗时多久',
    time: '时间',
    rows: {
      ttft_s: '首个词元（TTFT）',
      tpot_s: '每个词元（TPOT）',
      itl_s: '词元间隔（ITL）',
      e2e_s: '整个请求',
      queue_s: '开始前的等待',
    },
    short: { ttft_s: 'TTFT', tpot_s: 'TPOT', itl_s: 'ITL', e2e_s: '整个', queue_s: '等待' },
    mean: '平均',
    goal: '目标',
    bands: (ttft, tpot) =>
      `在真实服务器上，首个词元应为上述时间的 ${ttft} 倍，后续词元为 ${tpot} 倍。`,
  },
  most: {
    title: '最多能承受多少',
    intro: '逐步提高负载直到达不到目标，多次重新抽取请求，并试验能承受更多的改动。可能需要几秒钟。',
    needsGoal: '在上面设定目标，即可找出达到目标的最大负载。',
    find: '找出最多能承受多少',
    again: '重新寻找',
    stale: '这是先前设置的结果。',
    working: '正在提高负载',
    carries: {
      rate: (value) => `每秒可承受 ${value} 个请求`,
      concurrency: (value) => `可承受 ${value} 人同时使用`,
    },
    range: (range) => `视请求抽样而定：${range}。`,
    nothing: '在目标之内什么都承受不了：单个请求就已超出。',
    knee: '拐点',
    here: '所设',
    best: '上限',
    axis: { rate: '每秒请求数', concurrency: '同时使用的人数' },
    short: { rate: '请求/秒', concurrency: '人' },
    ttftTitle: '首个词元随负载的变化',
    tpotTitle: '每个词元的时间随负载的变化',
    sharesTitle: '目标之内的请求和 KV 缓存随负载的变化',
    p50: '一半',
    p99: '99 % 的请求',
    goal: (time) => `目标 ${time}`,
    time: '时间',
    point: (load, p50, p99) => `${load}：一半在 ${p50} 内，99 % 在 ${p99} 内。`,
    sharePoint: (load, share, kv) => `${load}：${share} 在目标之内，KV 缓存最多占用 ${kv}。`,
    pilesUp: '但仍未达到目标：请求不断堆积，到来的请求多于得到回答的请求。',
    standing: { title: '目标', meets: '达到', misses: '未达到', pilesUp: '未达到：请求堆积' },
    meeting: '目标之内的请求',
    kv: 'KV 缓存最高',
    share: '比例',
    changes: '如何承受更多（按首次抽取的请求）',
    gain: (value, before, percent) => `${value}，原为 ${before}，${percent}`,
    apply: '应用',
    applyLabel: (change) => `应用：${change}`,
    noChange: '试过的改动中，没有一项能承受更多。',
    throughput: '上限处的回答',
    cost: '上限处每百万回答词元',
  },
  course: {
    title: '经过',
    kv: 'KV 缓存随时间的变化',
    kvAxis: '占用',
    kvLine: 'KV 缓存占用',
    requests: '请求随时间的变化',
    requestsAxis: '请求',
    running: '运行',
    waiting: '等待',
    seconds: '秒',
    minutes: '分钟',
    kvPoint: (time, share) => `${time} 后：占用 ${share}。`,
    point: (time, running, waiting) => `${time} 后：运行 ${running}，等待 ${waiting}。`,
    mean: (mean, peak) => `平均 ${mean}，最高 ${peak}`,
    poolOf: (tokens) => `缓存池可容纳 ${tokens} 个词元。`,
    preempted: (count, tokens) => `抢占 ${count} 次：重新计算了 ${tokens} 个词元。`,
    notPreempted: '没有请求被抢占。',
    preemptions: '抢占',
    hit: (tokens) => `提示词中有 ${tokens} 个词元已在前缀缓存中。`,
  },
  steps: {
    title: '时间花在哪里',
    chart: '时间花在哪里',
    part: '部分',
    share: '比例',
    time: '时间',
    parts: {
      linear_s: '线性层',
      attention_s: '注意力',
      experts_s: '专家',
      communication_s: '显卡之间',
      head_s: '输出层',
      elementwise_s: '逐元素',
      host_s: '主机',
      idle_s: '空闲',
    },
    used: (compute, bandwidth, steps) =>
      `共 ${steps} 步，显卡用了 ${compute} 的算力和 ${bandwidth} 的带宽。`,
  },
  limit: {
    title: '受什么限制',
    toMost: '“找出最多能承受多少”会试验能承受更多的改动。',
  },
  assumed: '作为前提的假设',
};

export const words: Record<Lang, LoadWords> = { en, ru, zh };
