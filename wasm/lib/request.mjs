/**
 * JSON turns NaN and Infinity into null and drops functions and symbols. A request means "default"
 * by null and by absence, so such a value would quietly change the answer: it is an error instead.
 *
 * @param {unknown} value
 * @param {string} path
 * @returns {{ path: string, what: string } | undefined} the first value that JSON cannot hold
 */
function firstUnfit(value, path = '', parents = new Set()) {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : { path, what: String(value) };
    case 'bigint':
    case 'function':
    case 'symbol':
      return { path, what: `a ${typeof value}` };
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return undefined;
  if (parents.has(value)) return { path, what: 'a reference to itself' };
  parents.add(value);
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`;
    const found = firstUnfit(inner, path + step, parents);
    if (found) return found;
  }
  parents.delete(value);
  return undefined;
}

/**
 * The JSON text of a request.
 *
 * @param {unknown} request
 * @returns {{ text: string } | { error: { code: string, message: string, path: string } }}
 */
export function requestText(request) {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refuse('bad_request', 'The request must be an object.', '');
  }
  const unfit = firstUnfit(request);
  if (unfit) {
    return refuse(
      'bad_value',
      `${unfit.what} is not a JSON value: give a finite number or text.`,
      unfit.path,
    );
  }
  try {
    return { text: JSON.stringify(request) };
  } catch (cause) {
    return refuse('bad_value', `The request cannot be written as JSON: ${reason(cause)}.`, '');
  }
}

/**
 * The core echoes the id with its errors, so an error found before it does the same.
 *
 * @template {object} E
 * @param {any} query
 * @param {E} written
 * @returns {E}
 */
export function withId(query, written) {
  return typeof query?.id === 'string' ? { id: query.id, ...written } : written;
}

/** @param {string} code @param {string} message @param {string} path */
function refuse(code, message, path) {
  return { error: { code, message, path } };
}

/** @param {unknown} cause */
export function reason(cause) {
  return cause instanceof Error ? cause.message : String(cause);
}
