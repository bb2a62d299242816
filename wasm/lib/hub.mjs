// What the package knows of model hubs, each part a file of its own so that a page loads what it needs.

export { parseConfig } from './config-text.mjs';
export { fetchModel } from './fetch-model.mjs';
export { HubError } from './hub-error.mjs';
export { classify, DEFAULT_HUB, resolveUrl } from './hub-input.mjs';
export { compactIndex, isIndex, isWeightsName } from './weights-name.mjs';
