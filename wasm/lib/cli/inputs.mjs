import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from './usage-error.mjs';

/** @import { Context } from './context.mjs' */

const MIB = 2 ** 20;
const MOST_COMMAND = MIB;
const MOST_LOG = 64 * MIB;
const MOST_TRACE = 64 * MIB;
const MOST_ANSWER = 30 * MIB;
const MOST_NAMED = 20;
// Files of options and of variables: vllm serve --config serve.yaml, docker run --env-file gpu.env.
const NAMED = /[^\s'"=,;:()<>|&]+\.(?:ya?ml|json|env)(?![\w.])/g;

/**
 * A command that is named by a file, by - for standard input, or written out.
 *
 * @param {string} input
 * @param {Context} context
 */
export async function commandText(input, context) {
  if (input === '-') return text(await bytesOf(context.stdin, 'Standard input', MOST_COMMAND));
  const found = await stat(input).catch(() => undefined);
  if (found?.isFile()) return text(await bytesOf(createReadStream(input), input, MOST_COMMAND));
  if (!/\s/.test(input.trim()) && /[/\\]|\.(sh|ya?ml|txt|json)$/.test(input)) {
    throw new UsageError(`no such file: ${input}`);
  }
  return input;
}

/**
 * The files of settings that a command names and that lie here, by the names that it has for them.
 *
 * @param {string} command
 * @returns {Promise<Record<string, string>>}
 */
export async function namedFiles(command) {
  /** @type {Record<string, string>} */
  const files = {};
  const names = new Set(command.match(NAMED) ?? []);
  for (const name of [...names].slice(0, MOST_NAMED)) {
    const path = resolve(name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && found.size <= MOST_COMMAND) {
      files[name] = text(await bytesOf(createReadStream(path), name, MOST_COMMAND));
    }
  }
  return files;
}

/** A start-up log, as it is. @param {string} file or - @param {Context} context */
export async function logBytes(file, context) {
  const stream = file === '-' ? context.stdin : createReadStream(file);
  const name = file === '-' ? 'Standard input' : file;
  const bytes = await bytesOf(stream, name, MOST_LOG, (size) =>
    file === '-'
      ? `keep its beginning: head -c ${size / MIB}M`
      : `give its beginning: head -c ${size / MIB}M ${file} | ridgepoint log -`,
  );
  if (bytes.length === 0) throw new UsageError(`${name} is empty: give the log of a start`);
  return bytes;
}

/** A recorded trace of requests. @param {string} file or - @param {Context} context */
export async function traceText(file, context) {
  const stream = file === '-' ? context.stdin : createReadStream(file);
  const name = file === '-' ? 'Standard input' : file;
  return text(await bytesOf(stream, name, MOST_TRACE));
}

/** An answer of this program. @param {string | undefined} file @param {Context} context */
export async function answerText(file, context) {
  const whole = file === undefined || file === '-';
  const stream = whole ? context.stdin : createReadStream(file);
  return text(await bytesOf(stream, whole ? 'Standard input' : file, MOST_ANSWER)).trim();
}

/** @param {Uint8Array} bytes */
const text = (bytes) => new TextDecoder().decode(bytes);

/**
 * A stream as bytes. One that is too long is refused as soon as that is known.
 *
 * @param {AsyncIterable<string | Uint8Array>} stream
 * @param {string} name
 * @param {number} most bytes
 * @param {(most: number) => string} [remedy]
 * @returns {Promise<Uint8Array>}
 */
async function bytesOf(stream, name, most, remedy) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > most) {
      const what = remedy ? `; ${remedy(most)}` : '';
      throw new UsageError(`${name} is larger than ${most / MIB} MiB${what}`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}
