// The compiled core of the offline file: on the page from an element that holds it packed, in a
// worker from the page.

async function inflate(packed: string): Promise<Uint8Array> {
  const zipped = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const told = () =>
  new Promise<Uint8Array>((resolve) => {
    const listen = (event: MessageEvent<{ core?: Uint8Array }>) => {
      if (!event.data.core) return;
      // No question of the planner.
      event.stopImmediatePropagation();
      removeEventListener('message', listen);
      resolve(event.data.core);
    };
    addEventListener('message', listen);
  });

let bytes: Promise<Uint8Array> | undefined;

export function coreBytes(): Promise<Uint8Array> {
  bytes ??=
    typeof document === 'undefined'
      ? told()
      : inflate(document.querySelector('#ridgepoint-wasm')?.textContent ?? '');
  return bytes;
}

// A worker is told before it is asked anything, and must not miss it.
if (typeof document === 'undefined') coreBytes();
