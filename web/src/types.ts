// The contract, from the package that holds it. A report may hold null where nothing is known, so
// the page takes any part as a `Maybe`.
export type {
  Catalogue,
  Estimate,
  Explanation,
  FlagEntry as Flag,
  GpuEntry as Gpu,
  ModelRequest,
  Report,
} from 'ridgepoint';

import type { ModelRequest } from 'ridgepoint';

export type Maybe<T> = T | null | undefined;

/** What is wrong with an input; the path is one of the contract or, for a fetch, `hub.…`. */
export interface Problem {
  code: string;
  message: string;
  path: string;
}

/** A request as the page writes it: what could not be read stays text, for the core to refuse. */
export interface Request {
  model: ModelRequest;
  gpu: Record<string, unknown>;
  engine: {
    name: string;
    version?: string;
    args?: Record<string, unknown>;
    env?: Record<string, string>;
  };
  workload: Record<string, unknown>;
  measured?: Record<string, unknown>;
}

/** What a report tells beyond the fixed part of the contract; any of it may be missing. */
export interface Extras {
  gpu?: { name?: string };
  engine?: {
    version?: string;
    data_parallel_size?: number;
    max_model_len?: number;
    max_num_seqs?: number;
  };
  capacity?: { context?: number };
}
