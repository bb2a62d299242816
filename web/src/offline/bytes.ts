declare global {
  /** On the page: the compiled core, unpacked by web/plugins/offline-boot.js. */
  var ridgepointCore: Promise<ArrayBuffer> | undefined;
}

/** In a worker: the page tells. */
const told = () =>
  new Promise<ArrayBuffer>((resolve) => {
    const listen = (event: MessageEvent<{ core?: ArrayBuffer }>) => {
      if (!event.data.core) return;
      // No question of the planner.
      event.stopImmediatePropagation();
      removeEventListener('message', listen);
      resolve(event.data.core);
    };
    addEventListener('message', listen);
  });

// At once: a worker is told before it is asked anything, and must not miss it.
const bytes = globalThis.ridgepointCore ?? told();

/** The compiled core of the offline file. */
export const coreBytes = (): Promise<ArrayBuffer> => bytes;
