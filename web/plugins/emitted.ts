import { createHash } from 'node:crypto';
import type { Rolldown } from 'vite';

/** What a bundle writes. */
export type Emitted = Rolldown.OutputAsset | Rolldown.OutputChunk;

export const OFFLINE_COPY = 'ridgepoint-offline.html';

export const bytesOf = (file: Emitted): Buffer =>
  Buffer.from(file.type === 'chunk' ? file.code : file.source);

/** As `integrity` and a Content-Security-Policy write it. */
export const sha256 = (body: string | Buffer): string =>
  `sha256-${createHash('sha256').update(body).digest('base64')}`;
