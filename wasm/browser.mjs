import createDefaultModule from './dist/ridgepoint.mjs';
import { createEntry } from './lib/entry.mjs';

export { Ridgepoint } from './lib/core.mjs';
export { RidgepointError } from './lib/error.mjs';

// With no address given the glue resolves the file beside itself by import.meta.url, which is the
// form that bundlers recognise and emit.
const entry = createEntry(async ({ createModule = createDefaultModule, wasmBinary, wasmUrl }) =>
  createModule({
    ...(wasmBinary && { wasmBinary }),
    ...(wasmUrl && { locateFile: () => String(wasmUrl) }),
  }),
);

export const {
  load,
  fit,
  evaluate,
  evaluateText,
  scan,
  recommend,
  compare,
  advise,
  explain,
  readCommand,
  writeCommand,
  readLog,
  exportAnswer,
  ask,
  askLog,
  run,
  askRun,
  catalogue,
  version,
  readCheckpoint,
} = entry;
