import { devices } from '../devices.mjs';

/** @import { Register } from '../context.mjs' */

/** @type {Register} */
export function register(program, context) {
  program
    .command('devices')
    .summary('find the NVIDIA cards of this machine')
    .description('Asks nvidia-smi and prints the options of "fit" that describe each card.')
    .option('--json', 'print JSON')
    .action((options) => devices(options, context));
}
