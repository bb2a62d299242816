import type { Assets } from './assets';

// Stands in for assets.ts in the one file that opens from a disk. web/plugins/offline-copy.ts writes
// the elements that are read here.

const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';

let bytes: Promise<Uint8Array> | undefined;

async function inflate(): Promise<Uint8Array> {
  const packed = atob(textOf('ridgepoint-wasm'));
  const zipped = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function core() {
  bytes ??= inflate();
  return { wasmBinary: await bytes };
}

export const assets: Assets = {
  core,
  offlineCopy: null,
  notices: URL.createObjectURL(
    new Blob([textOf('ridgepoint-notices')], { type: 'text/plain;charset=utf-8' }),
  ),
  build: document.querySelector<HTMLMetaElement>('meta[name="ridgepoint-build"]')?.content ?? '',
};
