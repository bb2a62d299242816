import {
  classify,
  compactIndex,
  HubError,
  isIndex,
  isWeightsName,
  resolveUrl,
} from 'ridgepoint/hub';
import { type Fetched, fetchKey, hubOf, type Inputs, revisionOf } from './state';
import type { Problem } from './types';

// The only module of the page that uses the network, and only when the reader asked for it.

/** The address that would be asked for what is in the model box, or nothing if there is none. */
export function addressFor(inputs: Inputs): string {
  const hub = hubOf(inputs);
  const what = classify(inputs.model, { hub });
  if (what.kind === 'url') return what.url;
  if (what.kind === 'text') return '';
  try {
    const { id, revision = revisionOf(inputs), path } = what;
    return resolveUrl(id, { hub, revision, ...(path ? { file: path } : {}) });
  } catch {
    return '';
  }
}

export function hostFor(inputs: Inputs): string {
  try {
    return new URL(addressFor(inputs) || hubOf(inputs)).host;
  } catch {
    return hubOf(inputs);
  }
}

export async function fetchSource(
  inputs: Inputs,
  token: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const { fetchModel } = await import('./fetching');
  const { model, url, notes } = await fetchModel(inputs.model, {
    hub: hubOf(inputs),
    revision: revisionOf(inputs),
    signal,
    ...(token ? { token } : {}),
  });
  const from = url ? new URL(url).host : '';
  return { key: fetchKey(inputs), label: inputs.model.trim(), from, model, notes };
}

export const isWeightsFile = isWeightsName;

/** The text of a config box or file that is an index of weights instead. */
export function indexIn(text: string): Record<string, unknown> | undefined {
  if (!text.includes('"weight_map"') && !text.includes('"metadata"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isIndex(value) ? compactIndex(value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const paths: Record<string, string> = {
  gated: 'hub.token',
  bad_token: 'hub.token',
  bad_hub: 'hub.base',
};

/** What to show for a fetch that failed. */
export function fetchProblem(error: unknown): Problem {
  const code = error instanceof HubError ? error.code : 'network';
  const message = error instanceof Error ? error.message : String(error);
  return { code, message, path: paths[code] ?? 'model.id' };
}
