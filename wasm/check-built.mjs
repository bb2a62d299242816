// Run before the package is packed: without the compiled module it would install and never work.
import { access } from 'node:fs/promises';

for (const file of ['ridgepoint.mjs', 'ridgepoint.wasm']) {
  try {
    await access(new URL(`./dist/${file}`, import.meta.url));
  } catch {
    console.error(`dist/${file} is missing: build the ridgepoint_wasm target first`);
    process.exitCode = 1;
  }
}
