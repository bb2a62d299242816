import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Rolldown } from 'vite';

/** What a bundle writes. */
export type Emitted = Rolldown.OutputAsset | Rolldown.OutputChunk;

export const OFFLINE_COPY = 'ridgepoint-offline.html';

export const bytesOf = (file: Emitted): Buffer =>
  Buffer.from(file.type === 'chunk' ? file.code : file.source);

/** As `integrity` and a Content-Security-Policy write it. */
export const sha256 = (body: string | Buffer): string =>
  `sha256-${createHash('sha256').update(body).digest('base64')}`;

/** What is copied beside the bundle, by its path there. */
export function publicFiles(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  if (folder === '') return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path).replaceAll(sep, '/'), readFileSync(path));
  }
  return files;
}
