import { defineConfig, type Plugin } from 'vite';
import web from './package.json' with { type: 'json' };
import { firstFile } from './plugins/first-file.ts';
import { firstPage } from './plugins/first-page.ts';
import { headersFile } from './plugins/headers.ts';
import { notices } from './plugins/notices.ts';
import { offlineCopy } from './plugins/offline-copy.ts';
import { precompress } from './plugins/precompress.ts';
import { publicAddress } from './plugins/public-address.ts';
import { serviceWorker } from './plugins/service-worker.ts';
import { speedFacts } from './plugins/speed-facts.ts';

/** The development server puts styles into the page itself, which the page's policy forbids. */
function allowDevelopmentStyles(): Plugin {
  return {
    name: 'allow-development-styles',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  };
}

const { note, write, text } = notices();

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'accuracy.html'],
      output: {
        codeSplitting: { groups: [{ name: firstFile() }] },
      },
    },
  },
  worker: { format: 'es', plugins: () => [note()] },
  plugins: [
    speedFacts(),
    firstPage(),
    publicAddress(),
    note(),
    write(),
    offlineCopy(web.version, text),
    headersFile(),
    serviceWorker(),
    precompress(),
    allowDevelopmentStyles(),
  ],
});
