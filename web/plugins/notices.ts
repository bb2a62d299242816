import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(path, 'utf8').trim();

const heading = (text: string) => `${text}\n${'-'.repeat(text.length)}`;

/** The folder of the package that a module is from; null for what is the project's own. */
function packageOf(module: string): string | null {
  const [path = ''] = module.replaceAll('\\', '/').split('?');
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null;
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(read(join(folder, 'package.json')));
  const licence = readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)\b/i.test(one));
  if (licence === undefined) throw new Error(`${folder} brings no licence for notices.txt`);
  return `${heading(`${name} ${version} (${license})`)}\n\n${read(join(folder, licence))}`;
}

/** `notices.txt`: the licence of the page, and of all that is really in its files. */
export function notices() {
  const packages = new Set<string>();
  /** In each bundle, workers' too, notes whose code went into it. */
  const note = (): Plugin => ({
    name: 'notices-note',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const module of chunk.moduleIds) {
          const folder = packageOf(module);
          if (folder !== null && existsSync(join(folder, 'package.json'))) packages.add(folder);
        }
      }
    },
  });
  const text = () =>
    [
      heading('ridgepoint (MIT)'),
      read(file('../../LICENSE')),
      ...[...packages].sort().map(notice),
      `${read(file('../notices/compiled.txt'))}\n`,
    ].join('\n\n');
  const write = (): Plugin => ({
    name: 'notices-write',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'notices.txt', source: text() });
    },
  });
  return { note, write, text };
}
