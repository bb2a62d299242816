/** What the core answers in place of a report, as an exception: same code, same field path. */
export class RidgepointError extends Error {
  name = 'RidgepointError';

  /** @param {{ code: string, message: string, path?: string }} error @param {ErrorOptions} [options] */
  constructor({ code, message, path = '' }, options) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}
