import { HubError } from './hub-error.mjs';
import { hubBase, isHubHost } from './hub-input.mjs';

/**
 * The header of a token, for the origin of the hub alone. On a redirect to another origin fetch
 * drops the header itself, and nothing here sets it again.
 *
 * @param {string} url
 * @param {string} hub
 * @param {string} [token]
 * @returns {Record<string, string> | undefined}
 */
export function headersFor(url, hub, token) {
  const trusted = new URL(url).origin === hubBase(hub).origin;
  return trusted && token ? authorization(token) : undefined;
}

/** @param {string} token */
function authorization(token) {
  // fetch would quote a malformed header, token and all, in its error.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new HubError(
      'bad_token',
      'The token holds blanks or characters that no token has. Copy it again, on one line.',
    );
  }
  return { authorization: `Bearer ${token}` };
}

/**
 * What to do about a status that is no success.
 *
 * @param {Response} response
 * @param {string} url
 * @param {string} hub
 * @param {boolean} withToken
 */
export function statusError({ status, headers }, url, hub, withToken) {
  const details = { url, status };
  // The hub answers 401 for a model that does not exist to whoever shows no token, and names the
  // real reason in a header.
  const reason = headers.get('x-error-code') ?? '';
  const page = pageOf(url, hub);
  if (reason === 'RepoNotFound') {
    return new HubError(
      'not_found',
      `There is no public model at ${page}. Check the spelling of the id; a private model needs a token.`,
      details,
    );
  }
  if (reason === 'RevisionNotFound') {
    return new HubError('not_found', `${page} has no such revision. Check its name.`, details);
  }
  if (status === 401 || status === 403) {
    const why = withToken
      ? 'and this token does not open it. Accept its licence there with the account of the token, and check that the token may read it'
      : 'and needs a token. Accept its licence there, then give a read token';
    return new HubError('gated', `${page} is gated, ${why}; or paste the config.json.`, details);
  }
  if (status === 404 || status === 410) {
    return new HubError(
      'not_found',
      `There is no ${url.slice(url.lastIndexOf('/') + 1)} at ${page}. Check the id. A repository of GGUF files or of an adapter has none: give the model it was made from, or paste the config.json.`,
      details,
    );
  }
  if (status === 429) {
    return new HubError(
      'rate_limited',
      `${new URL(url).host} takes no more requests for now (429). Wait a minute, give a token, or paste the config.json.`,
      details,
    );
  }
  return new HubError(
    'http',
    `${url} answered ${status}. Try again later, or paste the config.json.`,
    details,
  );
}

/** The page that a person can open for a file of the hub. @param {string} url @param {string} hub */
function pageOf(url, hub) {
  return isHubHost(new URL(url), hub) ? url.replace(/\/resolve\/.*$/, '') : url;
}
