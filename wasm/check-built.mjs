// Run before the package is packed: without the compiled module it would install and never work.
import { access } from 'node:fs/promises';

const ANSWERS = ['vllm', 'sglang', 'trtllm', 'llamacpp', 'all'].map(
  (engine) => `answer-${engine}.wasm`,
);

for (const file of ['ridgepoint.mjs', 'ridgepoint.wasm', ...ANSWERS]) {
  try {
    await access(new URL(`./dist/${file}`, import.meta.url));
  } catch {
    console.error(`dist/${file} is missing: build the ridgepoint_modules target first`);
    process.exitCode = 1;
  }
}
