import type { Request } from 'ridgepoint';
import type { Request as PageRequest } from '../../types';

// The same model, card and load on another engine.

/** The engine at hand stays as it is set; the others come with their own defaults. */
export function onEngine(request: PageRequest, name: string, version: string): Request {
  const asked = request as unknown as Request;
  if (asked.engine.name === name) return asked;
  const { measured: _, ...others } = asked;
  return { ...others, engine: { name, ...(version ? { version } : {}) } };
}

/** The flags that a command of the engine shows, as one would type them. */
export const flagWords = (flags: readonly { flag: string; value: unknown }[]) =>
  flags.map(({ flag, value }) =>
    value === true || value === null ? flag : `${flag} ${String(value)}`,
  );
