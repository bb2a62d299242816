import type { Answer } from './session';
import type { Request } from './types';

// The same question for the command line. Plain text for a POSIX shell.

export const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function flagWords(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  return [`--${name}`, typeof value === 'object' ? JSON.stringify(value) : String(value)];
}

export interface Source {
  word: string;
  weights?: string;
  hub?: string;
  revision?: string;
}

export function fitCommand({ gpu, engine, workload }: Request, source: Source): string {
  const words = ['ridgepoint', 'fit', source.word];
  const option = (name: string, value: unknown) => {
    if (value !== undefined) words.push(name, String(value));
  };
  option('--gpu', `${gpu.id ?? ''}:${gpu.count ?? 1}`);
  option('--gpu-total', gpu.total_bytes);
  option('--gpu-free', gpu.free_bytes);
  option('--engine', engine.version ? `${engine.name}@${engine.version}` : engine.name);
  option('--ctx', workload.context);
  option('--prompt', workload.prompt);
  option('--output', workload.output);
  option('--concurrency', workload.concurrency);
  option('--weights', source.weights);
  option('--hub', source.hub);
  option('--revision', source.revision);
  for (const [name, value] of Object.entries(engine.args ?? {})) {
    words.push(...flagWords(name, value));
  }
  return words.map(quote).join(' ');
}

/** The card's own rates have no option; a whole request has. */
export const commandLacks = ({ gpu }: Request) =>
  gpu.bandwidth !== undefined || gpu.flops !== undefined;

export const commandOf = ({ request, source }: Pick<Answer, 'request' | 'source'>): string =>
  fitCommand(request, source);
