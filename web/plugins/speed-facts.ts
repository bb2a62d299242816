import type { Plugin } from 'vite';
import { pack } from '../src/accuracy/speed/packed.ts';

/** The measured speeds as the page reads them, from the file that people read. */
export function speedFacts(): Plugin {
  return {
    name: 'speed-facts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/core/data/accuracy/speed.json')) return null;
      return { code: JSON.stringify(pack(JSON.parse(code))), map: null };
    },
  };
}
