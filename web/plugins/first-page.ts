import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown, runnerImport } from 'vite';
import { bytesOf } from './emitted.ts';
import { templateText } from './template-text.ts';

// What the page shows before its script is there: the example's answer, written into the HTML by the
// page's own views and core, and a script of a few lines that decides whether it is what is asked for.

type Example = typeof import('../src/first/example.ts');
type Engine = typeof import('../src/engine.ts');

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page is drawn once here, by the sources as they are. */
async function exampleText(): Promise<string> {
  const settings = { configFile: false, root: file('..'), logLevel: 'warn' } as const;
  const [{ module: engine }, { module: example }] = await Promise.all([
    runnerImport<Engine>(file('../src/engine.ts'), settings),
    runnerImport<Example>(file('../src/first/example.ts'), settings),
  ]);
  return templateText(await example.examplePage(engine.start('vllm')));
}

/** A classic script: a module would wait for the whole document, and the first paint would not wait for it. */
async function decision(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root: file('..'),
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: file('../src/first/decide.ts'), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  return bytesOf(output[0]).toString();
}

const CORE = /answer-(\w+)-[\w-]+\.wasm$/;

export function firstPage(): Plugin {
  let example = '';
  let script = '';
  let name = '';
  return {
    name: 'first-page',
    apply: 'build',
    async buildStart() {
      [example, script] = await Promise.all([exampleText(), decision()]);
      const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8);
      name = `assets/first-${hash}.js`;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name, source: script });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, filename }) {
        if (!filename.endsWith('index.html')) return html;
        const cores = Object.keys(bundle ?? {}).flatMap((path) => {
          const [, engine] = CORE.exec(path) ?? [];
          return engine ? [` data-${engine}="./${path}"`] : [];
        });
        return html
          .replace(
            /<script type="module"/,
            `<script async blocking="render" src="./${name}"${cores.join('')}></script>\n    $&`,
          )
          .replace(
            /<noscript>/,
            () => `<div class="first" inert>${example}</div>\n      <noscript>`,
          );
      },
    },
  };
}
