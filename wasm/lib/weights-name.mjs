// What is told from the name or the first look of a file of weights, before any of it is read.

/** Whether a text is that of an index and not of a config. @param {unknown} value */
export function isIndex(value) {
  if (typeof value !== 'object' || value === null) return false;
  if ('weight_map' in value) return true;
  return 'metadata' in value && !('model_type' in value) && !('architectures' in value);
}

/** Whether a name is that of a file whose header tells a model's weights. @param {string} name */
export const isWeightsName = (name) => /\.(gguf|safetensors)(\?.*)?$/i.test(name);

/**
 * What the core needs of an index. The names of all tensors would be megabytes of a request.
 *
 * @param {Record<string, unknown>} index
 */
export function compactIndex(index) {
  return { ...('metadata' in index && { metadata: index.metadata }), weight_map: {} };
}
