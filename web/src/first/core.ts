// The download of the core starts before the page's own script is there, which takes it over.

interface FirstCore {
  engine: string;
  response: Promise<Response>;
}

declare global {
  var ridgepointFirstCore: FirstCore | undefined;
}

export function fetchFirstCore(engine: string, address: string): void {
  const response = fetch(address);
  // Who takes it over is told; until then nobody listens.
  response.catch(() => {});
  globalThis.ridgepointFirstCore = { engine, response };
}

/** Once, for the engine that it was fetched for: what was read cannot be read again. */
export function takeFirstCore(engine: string): Promise<Response> | undefined {
  const first = globalThis.ridgepointFirstCore;
  globalThis.ridgepointFirstCore = undefined;
  return first?.engine === engine ? first.response : undefined;
}
