import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { bytesOf, OFFLINE_COPY } from './emitted.ts';

const packers = [
  ['.br', promisify(brotliCompress)],
  ['.gz', promisify(gzip)],
] as const;

/** `.br` and `.gz` beside each text and wasm file, for servers that send them as they are. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(
          ({ fileName: name }) =>
            /\.(?:wasm|js|css|html|svg|txt)$/.test(name) && name !== OFFLINE_COPY,
        );
        const packed = files.flatMap((file) =>
          packers.map(async ([ending, pack]) => {
            const source = await pack(bytesOf(file));
            this.emitFile({ type: 'asset', fileName: file.fileName + ending, source });
          }),
        );
        await Promise.all(packed);
      },
    },
  };
}
