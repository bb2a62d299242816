import type { Plugin } from 'vite';

/** The browser learns of the first wasm from the HTML, not from the script that asks for it last. */
export function preloadWasm(): Plugin {
  return {
    name: 'preload-wasm',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, filename }) {
        if (!filename.endsWith('index.html')) return [];
        const modules = Object.keys(bundle ?? {}).filter((name) => name.endsWith('.wasm'));
        // The example is a vLLM one. Without small modules the first answer takes the whole core.
        const first = modules.find((name) => name.includes('answer-vllm')) ?? modules[0];
        return first === undefined
          ? []
          : [
              {
                tag: 'link',
                attrs: { rel: 'preload', as: 'fetch', href: `./${first}`, crossorigin: true },
                injectTo: 'head' as const,
              },
            ];
      },
    },
  };
}
