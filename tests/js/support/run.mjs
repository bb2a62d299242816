import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Ridgepoint } from 'ridgepoint';
import { main } from '../../../wasm/lib/cli/main.mjs';

export const BIN = fileURLToPath(new URL('../../../wasm/bin/ridgepoint.mjs', import.meta.url));

/** What a person reads, whatever the width it was printed for. @param {string} text */
export const unbroken = (text) => text.replace(/\s+/g, ' ');

/**
 * Run the real program in a process of its own.
 *
 * @param {string[]} args
 * @param {{ input?: string, env?: Record<string, string>, bin?: string, cwd?: string }} [options]
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
export function runProgram(args, { input = '', env = {}, bin = BIN, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const { HF_TOKEN, HF_ENDPOINT, ...inherited } = process.env;
    const child = spawn(process.execPath, [bin, ...args], { env: { ...inherited, ...env }, cwd });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * Run the command line in this process around another module or core, with everything outside replaced.
 *
 * @param {string[]} args
 * @param {{ module?: object, load?: () => Promise<object>, input?: string | Iterable<string>, env?: object, fetch?: Function, tty?: boolean, columns?: number, onInterrupt?: Function }} options
 */
export async function runInside(
  args,
  {
    module,
    load,
    input = [],
    env = {},
    fetch,
    tty = false,
    columns = undefined,
    onInterrupt = () => () => {},
  },
) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const texts = Promise.all([collect(stdout), collect(stderr)]);
  const status = await main(args, {
    stdin: Readable.from(typeof input === 'string' ? [input] : input),
    stdout: Object.assign(stdout, { isTTY: tty, columns }),
    stderr: Object.assign(stderr, { isTTY: tty, columns }),
    env,
    fetch,
    onInterrupt,
    load: load ?? (async () => new Ridgepoint(module)),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await texts;
  return { status, stdout: out, stderr: err };
}

async function collect(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}
