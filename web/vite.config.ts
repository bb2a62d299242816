import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** The browser learns of the wasm from the HTML, not from the script that asks for it last. */
function preloadWasm(): Plugin {
  return {
    name: 'preload-wasm',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((name) => name.endsWith('.wasm'))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'fetch', href: `./${name}`, crossorigin: true },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}

/** `.br` and `.gz` beside each text and wasm file, for servers that send them as they are. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          if (!/\.(?:wasm|js|css|html|svg)$/.test(name)) continue;
          const body = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({
            type: 'asset',
            fileName: `${name}.br`,
            source: brotliCompressSync(body),
          });
          this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gzipSync(body) });
        }
      },
    },
  };
}

/** The development server puts styles into the page itself, which the page's policy forbids. */
function allowDevelopmentStyles(): Plugin {
  return {
    name: 'allow-development-styles',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  };
}

export default defineConfig({
  base: './',
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  plugins: [preloadWasm(), precompress(), allowDevelopmentStyles()],
});
