import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { bytesOf, type Emitted, OFFLINE_COPY, sha256 } from './emitted.ts';
import { speedFacts } from './speed-facts.ts';

// The page once more, as one file that opens from a disk: the same sources in one
// script, with what stands in web/src/offline in the place of what the site loads, and the core packed
// beside it.

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const WEB = file('..');
const COMPILED = file('../../wasm/dist/');
const GLUE = `${COMPILED}ridgepoint.mjs`;
const CORE = `${COMPILED}ridgepoint.wasm`;
const ICON = file('../public/icon.svg');

const BOOT = file('offline-boot.js');

const policyFor = (scripts: string[], style: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'${sha256(script)}'`).join(' ')} 'wasm-unsafe-eval'`,
    `style-src '${sha256(style)}'`,
    'img-src data: blob:',
    'connect-src https:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Code that looks for its wasm beside itself would bring a second copy of it. */
function withoutWasmFiles(): Plugin {
  return {
    name: 'without-wasm-files',
    enforce: 'pre',
    transform(code) {
      return code.replaceAll(
        /new URL\((["'][^"']+\.wasm["']),\s*import\.meta\.url\)/g,
        'new URL($1, "file:///")',
      );
    },
  };
}

/** What stands in web/src/offline for a part that the site loads from elsewhere. */
const named = new Map([
  ['virtual:core', GLUE],
  ['virtual:core-bytes', file('../src/offline/core-bytes.ts')],
  ['ridgepoint/answer', file('../src/offline/answer.ts')],
  ['ridgepoint/answer-core', file('../src/offline/answer.ts')],
]);
const placed = new Map([
  [file('../src/assets.ts'), file('../src/offline/assets.ts')],
  [file('../src/rooms/embed/preview.ts'), file('../src/offline/preview.ts')],
]);

function ownParts(): Plugin {
  return {
    name: 'own-parts',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const stands = named.get(source);
      if (stands !== undefined) return stands;
      if (!/(?:^|\/)(?:assets|preview)(?:\.ts)?$|\/dist\/[^/]+\.mjs$/.test(source)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (found?.id.startsWith(COMPILED)) return file('../src/offline/core.ts');
      return placed.get(found?.id ?? '') ?? found;
    },
  };
}

async function bundle(): Promise<Emitted[]> {
  const plugins = () => [withoutWasmFiles(), ownParts()];
  const built = (await build({
    configFile: false,
    root: WEB,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    plugins: [speedFacts(), ...plugins()],
    worker: { format: 'iife', plugins },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return built.output;
}

/** What was emitted with this ending, of which there must be one. */
function only(files: Emitted[], ending: string): string {
  const found = files.filter(({ fileName }) => fileName.endsWith(ending));
  const [first] = found;
  if (!first || found.length > 1) {
    const names = files.map(({ fileName }) => fileName).join(', ');
    throw new Error(`the offline copy needs one *${ending} and has ${found.length} (${names})`);
  }
  return bytesOf(first).toString();
}

/** Letters that HTML ends an element at, or reads as another: two bytes are written for those. */
const moved = new Set([0x00, 0x0d, 0x3c]);

/** Seven bits a letter, which takes an eighth less room than base64. */
function textOf(bytes: Uint8Array): string {
  const letters: number[] = [];
  const add = (value: number) => letters.push(moved.has(value) ? value + 0x100 : value);
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0x7fff;
    bits += 8;
    for (; bits >= 7; bits -= 7) add((held >> (bits - 7)) & 127);
  }
  if (bits > 0) add((held << (7 - bits)) & 127);
  return Buffer.from(Uint16Array.from(letters).buffer).toString('utf16le');
}

const pack = (body: string | Buffer) => textOf(gzipSync(body, { level: 9 }));

/** Everything of the head that points at another file. */
const withoutLinks = (html: string) =>
  html
    .replaceAll(/\s*<link\b[^>]*>/g, '')
    .replaceAll(/\s*<meta\s[^>]*(?:property="og:|name="twitter:)[^>]*>/g, '')
    .replaceAll(/\s*<script\b[^>]*\bsrc=[^>]*><\/script>/g, '');

function replaceOnce(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`index.html has nothing like ${pattern}`);
  return text.replace(pattern, () => by);
}

async function compose(version: string, notices: string): Promise<string> {
  const files = await bundle();
  const script = only(files, '.js');
  const boot = readFileSync(BOOT, 'utf8');
  const style = only(files, '.css').trim();
  const core = readFileSync(CORE);
  const sum = createHash('sha256').update(script).update(style).update(core).digest('hex');
  const release = `${version}+${sum.slice(0, 8)}`;
  const icon = `data:image/svg+xml;base64,${readFileSync(ICON).toString('base64')}`;
  const policy = policyFor([boot, script], style);
  let html = withoutLinks(only(files, '.html'));
  html = replaceOnce(
    html,
    /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/,
    `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
  html = replaceOnce(
    html,
    /<title>[^<]*<\/title>/,
    `<title>ridgepoint, offline copy ${release}</title>`,
  );
  html = replaceOnce(
    html,
    /<\/head>/,
    `  <meta name="ridgepoint-build" content="${release}" />
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    <style>${style}</style>
  </head>`,
  );
  return replaceOnce(
    html,
    /<\/body>/,
    `<script type="text/plain" id="ridgepoint-notices">${notices}</script>
    <script type="application/octet-stream" id="ridgepoint-core">${pack(core)}</script>
    <script type="application/octet-stream" id="ridgepoint-script">${pack(script)}</script>
    <script type="module">${boot}</script>
  </body>`,
  );
}

/** Writes the offline copy beside the page. `notices` is asked once all of the page is bundled. */
export function offlineCopy(version: string, notices: () => string): Plugin {
  return {
    name: 'offline-copy',
    apply: 'build',
    async generateBundle() {
      const source = await compose(version, notices());
      this.emitFile({ type: 'asset', fileName: OFFLINE_COPY, source });
    },
  };
}
