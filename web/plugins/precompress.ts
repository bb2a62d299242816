import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { bytesOf, OFFLINE_COPY } from './emitted.ts';

/** `.br` and `.gz` beside each text and wasm file, for servers that send them as they are. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          if (!/\.(?:wasm|js|css|html|svg|txt)$/.test(name) || name === OFFLINE_COPY) continue;
          const body = bytesOf(file);
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
