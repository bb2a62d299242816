/**
 * Reading a model's configuration from the Hugging Face Hub, a mirror of it, an address or pasted
 * text. This and `readCheckpoint` are the only parts of the package that use the network.
 *
 * @packageDocumentation
 */

import type { ModelRequest } from './ridgepoint.d.ts';

/** `https://huggingface.co`. */
export declare const DEFAULT_HUB: string;

/** What a user typed or pasted. */
export type ModelInput =
  | {
      kind: 'id';
      /** `org/name`, or the short names of old models. */
      id: string;
      /** A branch, tag or commit, where one was named. */
      revision?: string;
      /** The config file inside the repository, where it is not `config.json` at its root. */
      path?: string;
    }
  | { kind: 'url' /** An address that is not a page of the hub. */; url: string }
  | { kind: 'text' /** Everything else; a config is JSON text. */; text: string };

/**
 * Tell an id, an address and text apart. Addresses of the hub's own pages
 * (`https://huggingface.co/org/name/tree/main` and the like) become ids. Never throws.
 */
export declare function classify(input: string, options?: { hub?: string }): ModelInput;

/** `<hub>/<id>/resolve/<revision>/<file>`. */
export declare function resolveUrl(
  id: string,
  options?: { hub?: string; revision?: string; file?: string },
): string;

/**
 * Parse the text of a config. Python writes `NaN` and `Infinity`, which JSON does not have; they
 * become `null`.
 *
 * @throws {@link HubError} with code `not_json`
 */
export declare function parseConfig(text: string, from?: string): Record<string, unknown>;

/** Whether parsed JSON is a `model.safetensors.index.json` and not a config. */
export declare function isIndex(value: unknown): boolean;

/** What `model.tensors` needs of an index: without the megabytes of tensor names. */
export declare function compactIndex(index: Record<string, unknown>): Record<string, unknown>;

/** Whether a name is that of a `.safetensors` or `.gguf` file. */
export declare function isWeightsName(name: string): boolean;

/** How to fetch. */
export interface FetchOptions {
  /** Base address of the hub. Default {@link DEFAULT_HUB}. */
  hub?: string;
  /** Branch, tag or commit, unless the input names one. Default `main`. */
  revision?: string;
  /** A read token. It is sent to the origin of `hub` and to no other. */
  token?: string;
  /** Default `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for each file. Default 20000. */
  timeoutMs?: number;
  /** Largest file accepted in bytes. Default 5 MB. */
  maxBytes?: number;
  /** Ends the request; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A model ready to be put into a request. */
export interface FetchedModel {
  /** `config`, `quant_config` where there is one, and `id` where the input was one. */
  model: ModelRequest & { config: Record<string, unknown> };
  /** The address the config came from; absent for pasted text. */
  url?: string;
  /** What a user should know, for example that a side file could not be read. */
  notes: string[];
}

/**
 * The model that an id, an address or pasted text means.
 *
 * @throws {@link HubError} whose message says what to do next
 */
export declare function fetchModel(input: string, options?: FetchOptions): Promise<FetchedModel>;

/**
 * Why a config or the header of a checkpoint could not be read.
 *
 * | code | meaning |
 * |---|---|
 * | `gated` | the hub wants a licence accepted and a token |
 * | `not_found` | no such model, revision or file |
 * | `not_a_model` | an address of the hub that is a data set, a space or another page |
 * | `not_json` | something else than a JSON object: a login page, a pointer, broken text |
 * | `too_large` | bigger than `maxBytes` |
 * | `offline` | no connection, or the name of the server is not known |
 * | `cors` | a browser may not read this address |
 * | `network` | the connection broke, or its certificate is not trusted |
 * | `timeout` | no answer in time |
 * | `rate_limited` | too many requests |
 * | `http` | any other status |
 * | `bad_token` | the token has characters that no token has |
 * | `truncated` | a checkpoint that ends inside its header |
 * | `not_a_checkpoint`, `bad_header`, `unsupported_gguf` | a file of weights that is something else, damaged, or of a kind not read |
 * | `bad_hub` | the base address is not an http(s) address |
 */
export declare class HubError extends Error {
  constructor(
    code: string,
    message: string,
    details?: { url?: string; status?: number; cause?: unknown },
  );
  readonly name: 'HubError';
  readonly code: string;
  /** The address asked. */
  readonly url?: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
}
