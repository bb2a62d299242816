import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

type Context = Rolldown.ChunkingContext;

const PAGE = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** All that a module imports at once. */
function importsOf(module: string, context: Context): Set<string> {
  const found = new Set<string>();
  const waiting = [module];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const imported of context.getModuleInfo(next)?.importedIds ?? []) {
      if (found.has(imported)) continue;
      found.add(imported);
      waiting.push(imported);
    }
  }
  return found;
}

/**
 * What the calculator needs for its first answer comes in one file: on a slow line each one more is a
 * wait. The module that starts it stays by itself, for other pages use the file too.
 */
export function firstFile(): (module: string, context: Context) => string | null {
  let needed: Set<string> | undefined;
  return (module, context) => {
    needed ??= importsOf(PAGE, context);
    return needed.has(module) ? 'page' : null;
  };
}
