import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headerBySlices } from './checkpoint.mjs';
import { HubError } from './hub-error.mjs';

/** @import { Opened } from './checkpoint.mjs' */

const INDEX = 'model.safetensors.index.json';
const SINGLE = 'model.safetensors';
const MAX_TEXT = 32_000_000;
const PART = /-\d{5}-of-\d{5}\.gguf$/i;
const FIRST_PART = /-00001-of-\d{5}\.gguf$/i;

/**
 * A file on this machine, or the one that tells about the weights in a folder.
 *
 * @param {string} path
 * @returns {Promise<Opened[] | undefined>}
 */
export async function openPath(path) {
  const name = path.startsWith('file:') ? fileURLToPath(path) : path;
  const found = await stat(name).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isDirectory()) return [localFile(name)];
  return [localFile(join(name, await weightsIn(name)))];
}

/** @param {string} folder */
async function weightsIn(folder) {
  const names = await readdir(folder);
  for (const name of [INDEX, SINGLE]) if (names.includes(name)) return name;
  const ggufs = names.filter((name) => /\.gguf$/i.test(name) && !/mmproj/i.test(name));
  const whole = ggufs.filter((name) => !PART.test(name) || FIRST_PART.test(name)).sort();
  if (whole.length === 1) return whole[0];
  throw new HubError(
    'not_found',
    whole.length === 0
      ? `${folder} holds neither ${INDEX}, ${SINGLE} nor a .gguf file.`
      : `${folder} holds several models in GGUF. Name one: ${whole.slice(0, 5).join(', ')}.`,
  );
}

/** @param {string} path @returns {Opened} */
function localFile(path) {
  return {
    name: path,
    text: async () => {
      const { size } = await stat(path);
      if (size > MAX_TEXT) {
        throw new HubError('too_large', `${path} is larger than an index can be (32 MB).`);
      }
      return readFile(path, 'utf8');
    },
    header: async (parse) => {
      const file = await open(path);
      try {
        return await headerBySlices(async (from, to) => {
          const buffer = new Uint8Array(to - from);
          let size = 0;
          while (size < buffer.length) {
            const { bytesRead } = await file.read(buffer, size, buffer.length - size, from + size);
            if (bytesRead === 0) break;
            size += bytesRead;
          }
          return buffer.subarray(0, size);
        }, parse);
      } finally {
        await file.close();
      }
    },
    sibling: (name) => localFile(join(dirname(path), basename(name))),
  };
}
