import { HubError } from './hub-error.mjs';

const PASTED = 'The text';

/**
 * @param {string} text
 * @param {string} [from] where the text is from, for the message
 * @returns {Record<string, unknown>}
 */
export function parseConfig(text, from = PASTED) {
  const value = parse(text, from);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HubError(
      'not_json',
      `${from} is JSON but not an object: a config.json starts with { and ends with }.`,
    );
  }
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * A config is a value of the request, so its text is read here, in the dialect that the core takes
 * of a request's text.
 *
 * @param {string} text
 * @param {string} from
 * @returns {unknown}
 */
function parse(text, from) {
  const bare = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(bare);
  } catch {
    // Perhaps only Python's spellings of numbers that JSON lacks.
  }
  try {
    return JSON.parse(
      bare.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) =>
        token.startsWith('"') ? token : 'null',
      ),
    );
  } catch (cause) {
    throw notJson(bare, from, cause);
  }
}

/** @param {string} text @param {string} from @param {unknown} cause */
function notJson(text, from, cause) {
  const start = text.trimStart();
  if (start === '') {
    return new HubError('not_json', `${from} is empty: give the content of a config.json.`);
  }
  if (start.startsWith('<')) {
    return new HubError(
      'not_json',
      `${from} is a web page and not JSON (a login page, or a proxy's). Open the address in a browser, and paste the config.json itself.`,
    );
  }
  if (start.startsWith('version https://git-lfs')) {
    return new HubError(
      'not_json',
      `${from} is a Git LFS pointer and not the file. Fetch the file itself with git lfs pull.`,
    );
  }
  if (!start.startsWith('{')) {
    const message =
      from === PASTED
        ? `${from} is neither a model id (org/name), an address nor JSON. Check the spelling, or paste the whole config.json.`
        : `${from} is not JSON. Give the config.json of the model.`;
    return new HubError('not_json', message);
  }
  if (hasComment(text)) {
    return new HubError(
      'not_json',
      `${from} has a comment (// or /* */), which JSON does not allow: take the comments out.`,
    );
  }
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new HubError(
    'not_json',
    `${from} is not valid JSON${reason}. Check that the whole file was copied, from { to }.`,
  );
}

/** @param {string} text */
const hasComment = (text) => /\/[/*]/.test(text.replace(/"(?:[^"\\]|\\.)*"?/g, ''));
