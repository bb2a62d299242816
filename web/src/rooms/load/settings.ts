// What the view is set to, and the same as the few letters that a link has for it. Names and presets
// are final: what a link leaves out is what the preset says, so that a preset may not change either.

export const presets = [
  'chat',
  'coding_agent',
  'rag',
  'batch',
  'reasoning',
  'own',
  'trace',
] as const;
export type Preset = (typeof presets)[number];

export const arrivals = ['rate', 'closed', 'at_once'] as const;
export type Arrival = (typeof arrivals)[number];

export const flows = ['even', 'uneven', 'waves'] as const;
export type Flow = (typeof flows)[number];

export const spreads = ['same', 'near', 'far'] as const;
export type Spread = (typeof spreads)[number];

/** As typed: text stays text, so that nothing is lost when it is wrong. */
export interface Settings {
  use: Preset;
  arrive: Arrival;
  /** Requests a second, and requests at once. */
  rate: string;
  people: string;
  flow: Flow;
  /** Tokens of prompt and answer; empty: those of the inputs. */
  input: string;
  output: string;
  spread: Spread;
  /** Tokens that all prompts begin with, and per cent of a prompt that its session sent before. */
  shared: string;
  session: string;
  /** The goal: milliseconds to the first token, the pace in its unit, per cent of the requests. */
  ttft: string;
  pace: string;
  paceUnit: 'per_s' | 'ms';
  share: string;
  requests: string;
  seed: string;
  /** How many times faster than it was recorded. */
  speedUp: string;
  /** The name of a trace and, where it is short enough for a link, its packed text. */
  traceName: string;
  trace: string;
}

const own: Settings = {
  use: 'own',
  arrive: 'rate',
  rate: '4',
  people: '16',
  flow: 'even',
  input: '',
  output: '',
  spread: 'same',
  shared: '',
  session: '',
  ttft: '500',
  pace: '20',
  paceUnit: 'per_s',
  share: '99',
  requests: '',
  seed: '',
  speedUp: '',
  traceName: '',
  trace: '',
};

const starts: Record<Preset, Partial<Settings>> = {
  chat: {},
  coding_agent: { arrive: 'closed', people: '8', ttft: '2000', pace: '30' },
  rag: { rate: '2', ttft: '1500' },
  batch: { arrive: 'at_once', ttft: '', pace: '' },
  reasoning: { arrive: 'closed', people: '16', ttft: '5000', pace: '25' },
  own: {},
  trace: {},
};

/** Per cent of a prompt that its session sent before, where nothing is typed: the core's own. */
export const usualSession: Partial<Record<Preset, string>> = { chat: '40', coding_agent: '90' };

export const startOf = (use: Preset): Settings => ({ ...own, ...starts[use], use });

const names = {
  u: 'use',
  a: 'arrive',
  r: 'rate',
  n: 'people',
  f: 'flow',
  i: 'input',
  o: 'output',
  w: 'spread',
  p: 'shared',
  h: 'session',
  t: 'ttft',
  d: 'pace',
  du: 'paceUnit',
  s: 'share',
  k: 'requests',
  x: 'seed',
  su: 'speedUp',
  tn: 'traceName',
  tz: 'trace',
} as const satisfies Record<string, keyof Settings>;

/** Fields that hold one of a few words; a link with another one has what the preset says. */
const allowed: Partial<Record<keyof Settings, readonly string[]>> = {
  arrive: arrivals,
  flow: flows,
  spread: spreads,
  paceUnit: ['per_s', 'ms'],
};

// A hash may hold a slash and a colon as they are.
const escaped = (text: string) => text.replace(/[%/:]/g, encodeURIComponent);

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Empty for what the view opens with. */
export function settingsText(settings: Settings): string {
  const start = startOf(settings.use);
  const parts = Object.entries(names).flatMap(([short, field]) => {
    const opens = field === 'use' ? 'chat' : start[field];
    return settings[field] === opens ? [] : [`${short}:${escaped(settings[field])}`];
  });
  return parts.join('/');
}

export function readSettings(text: string): Settings {
  const said = new Map(
    text.split('/').map((part): [string, string] => {
      const at = part.indexOf(':');
      return [part.slice(0, Math.max(at, 0)), unescaped(part.slice(at + 1))];
    }),
  );
  const settings = startOf(presets.find((use) => use === (said.get('u') ?? 'chat')) ?? 'chat');
  for (const [short, field] of Object.entries(names)) {
    const value = said.get(short);
    if (value === undefined || field === 'use') continue;
    if (allowed[field] && !allowed[field].includes(value)) continue;
    Object.assign(settings, { [field]: value });
  }
  return settings;
}
