/**
 * What the parts of the command line share: types alone.
 *
 * @import { Command } from 'commander'
 * @import { Ridgepoint } from '../core.mjs'
 *
 * @typedef {object} Context everything outside the program that a command may touch
 * @property {AsyncIterable<string | Uint8Array>} stdin
 * @property {import('node:stream').Writable & { isTTY?: boolean, columns?: number }} stdout
 * @property {import('node:stream').Writable & { isTTY?: boolean, columns?: number }} stderr
 * @property {Record<string, string | undefined>} env
 * @property {() => Promise<Ridgepoint>} load
 * @property {typeof globalThis.fetch} [fetch]
 * @property {(stop: () => void) => () => void} onInterrupt has `stop` called at Ctrl-C, until what it
 *   gives is called
 *
 * @typedef {(program: Command, context: Context, end: (status: number) => void) => void} Register
 *   adds the command of one verb to the program; its action ends with an exit status
 */

export {};
