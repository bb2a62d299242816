import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { notices } from './plugins/notices.ts';
import { precompress } from './plugins/precompress.ts';
import { rarestOf, textOf } from './src/widget/bytes.ts';

// The widget: one classic script that holds the core, the styles and every language, so that a page
// of any origin can use it by one tag.

const wasm = fileURLToPath(new URL('../wasm/dist/answer-all.wasm', import.meta.url));
const HOLE = 'the bytes of the core';
/** It makes a browser read the script as UTF-8 whatever the page around it is written in. */
const BOM = '\uFEFF';

/** `virtual:core-bytes` is the core as text; put in last, for a minifier would write it anew. */
function coreBytes(): Plugin {
  const bytes = readFileSync(wasm);
  const rare = rarestOf(bytes);
  return {
    name: 'core-bytes',
    resolveId: (id) => (id === 'virtual:core-bytes' ? `\0${id}` : null),
    load: (id) =>
      id === '\0virtual:core-bytes'
        ? `export const text = ${JSON.stringify(HOLE)}; export const rare = ${JSON.stringify(rare)};`
        : null,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const [chunk, ...more] = Object.values(bundle).filter(({ type }) => type === 'chunk');
        if (chunk?.type !== 'chunk' || more.length > 0) this.error('the widget is one script');
        const parts = chunk.code.split(new RegExp(`(?:"|'|\`)${HOLE}(?:"|'|\`)`));
        if (parts.length !== 2) this.error('the core has one place in the widget');
        chunk.code = `${BOM}${parts[0]}'${textOf(bytes, rare)}'${parts[1]}`;
      },
    },
  };
}

/** Parts of the page's words that the widget has no use for: two fifths of its own script. */
const unsaid = [
  'memoryPage',
  'otherFields',
  'banner',
  'model',
  'app',
  'rooms',
  'help',
  'card',
  'engine',
  'measured',
  'speed',
  'take',
];

function fewerWords(): Plugin {
  return {
    name: 'fewer-words',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/words\/\w+\.ts$/.test(id)) return null;
      let text = code;
      for (const name of unsaid) {
        const whole = text.length;
        text = text.replace(new RegExp(`^ {2}${name}: \\{\\n[^]*?^ {2}\\}[^\\n]*,\\n`, 'm'), '');
        if (text.length === whole) this.error(`${id} has no words of "${name}"`);
      }
      return text;
    },
  };
}

const { note, text } = notices();

/** The licences of what is in the script, to be copied with it. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'ridgepoint-widget.notices.txt', source: text() });
    },
  };
}

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^\.\/config-text$/,
        replacement: fileURLToPath(new URL('./src/widget/config-text.ts', import.meta.url)),
      },
    ],
  },
  publicDir: false,
  build: {
    target: 'es2022',
    // From here on a style sheet may follow the colour scheme of the page around it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist/widget',
    emptyOutDir: false,
    lib: {
      entry: 'src/widget/main.ts',
      formats: ['iife'],
      name: 'ridgepointWidget',
      fileName: () => 'ridgepoint-widget.js',
    },
  },
  plugins: [
    fewerWords(),
    coreBytes(),
    note(),
    licences(),
    ...(process.env.NO_PRECOMPRESS ? [] : [precompress()]),
  ],
});
