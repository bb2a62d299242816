#!/usr/bin/env node
import { main } from '../lib/cli/main.mjs';

// 1 is an answer (it does not serve), so a defect must not end with it as Node's own would.
const DEFECT = 70;

process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(DEFECT);
});

// The reader of a pipe may leave early (ridgepoint gpus | head): that is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
    process.exit();
  });
}

process.exitCode = await main(process.argv.slice(2));
