import type { Report } from './types';

/** An encoder keeps nothing from one token to the next: no pool, no tokens in it, no limit by it. */
export const cachesNothing = ({ cache }: Report) =>
  cache.bytes_per_token === 0 && cache.state_bytes_per_request === 0;
