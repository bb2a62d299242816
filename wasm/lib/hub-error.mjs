/** Why a config could not be read. The message always says what to do next. */
export class HubError extends Error {
  name = 'HubError';

  /**
   * @param {string} code
   * @param {string} message
   * @param {{ url?: string, status?: number, cause?: unknown }} [details]
   */
  constructor(code, message, { url, status, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.url = url;
    this.status = status;
  }
}
