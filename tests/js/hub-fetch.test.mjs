import { fetchModel, HubError } from 'ridgepoint/hub';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startServer } from './support/server.mjs';

const CONFIG = { architectures: ['LlamaForCausalLM'], hidden_size: 4096 };
const QUANTIZED = { ...CONFIG, quantization_config: { quant_method: 'fp8' } };

/** A fetch that answers from a table of addresses, and keeps what it was asked. */
function fakeFetch(table) {
  const asked = [];
  const fetch = async (url, { headers } = {}) => {
    asked.push({ url, headers });
    const found = table[new URL(url).pathname] ?? new Response('', { status: 404 });
    if (found instanceof Error) throw found;
    return found instanceof Response ? found : Response.json(found);
  };
  return { fetch, asked };
}

const failure = (promise) =>
  promise.then(
    () => expect.fail('it should have failed'),
    (error) => error,
  );

const servers = [];
async function serve(handler) {
  const server = await startServer(handler);
  servers.push(server);
  return server;
}

afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('fetchModel', () => {
  it('reads the config of an id', async () => {
    const { fetch, asked } = fakeFetch({ '/org/name/resolve/main/config.json': QUANTIZED });
    expect(await fetchModel('org/name', { fetch })).toEqual({
      model: { id: 'org/name', config: QUANTIZED },
      url: 'https://huggingface.co/org/name/resolve/main/config.json',
      notes: [],
    });
    expect(asked).toHaveLength(1);
  });

  it('prefers the revision of the input to the option', async () => {
    const { fetch } = fakeFetch({ '/org/name/resolve/v2/config.json': QUANTIZED });
    const { url } = await fetchModel('org/name@v2', { fetch, revision: 'v1' });
    expect(url).toContain('/v2/');
  });

  it('asks for the quantization file beside a config without quantization', async () => {
    const side = { quantization: { quant_algo: 'NVFP4' } };
    const { fetch } = fakeFetch({
      '/org/name/resolve/main/config.json': CONFIG,
      '/org/name/resolve/main/hf_quant_config.json': side,
    });
    expect((await fetchModel('org/name', { fetch })).model).toEqual({
      id: 'org/name',
      config: CONFIG,
      quant_config: side,
    });
  });

  it('is silent about a missing quantization file and says another failure', async () => {
    const path = '/org/name/resolve/main/config.json';
    const silent = await fetchModel('org/name', fakeFetch({ [path]: CONFIG }));
    expect(silent).toMatchObject({ model: { config: CONFIG }, notes: [] });
    expect(silent.model).not.toHaveProperty('quant_config');

    const broken = fakeFetch({
      [path]: CONFIG,
      '/org/name/resolve/main/hf_quant_config.json': new Response('', { status: 500 }),
    });
    const { model, notes } = await fetchModel('org/name', broken);
    expect(model.config).toEqual(CONFIG);
    expect(notes).toEqual([expect.stringContaining('hf_quant_config.json was not read')]);
  });

  it('finds quantization inside the text part of a multimodal config', async () => {
    const config = { text_config: QUANTIZED };
    const { fetch, asked } = fakeFetch({ '/org/name/resolve/main/config.json': config });
    await fetchModel('org/name', { fetch });
    expect(asked).toHaveLength(1);
  });

  it('takes pasted text without any network', async () => {
    const fetch = () => expect.fail('no network is needed');
    expect(await fetchModel(JSON.stringify(CONFIG), { fetch })).toEqual({
      model: { config: CONFIG },
      notes: [],
    });
  });

  it('reads any other address as it is', async () => {
    const { fetch, asked } = fakeFetch({ '/x/my.json': CONFIG });
    const { model } = await fetchModel('https://example.com/x/my.json', { fetch });
    expect(model).toEqual({ config: CONFIG });
    expect(asked).toHaveLength(1);
  });
});

describe('the token', () => {
  const token = 'hf_secret';

  it('goes to the hub', async () => {
    const { fetch, asked } = fakeFetch({ '/org/name/resolve/main/config.json': CONFIG });
    await fetchModel('org/name', { fetch, token });
    expect(asked.map(({ headers }) => headers?.authorization)).toEqual([
      'Bearer hf_secret',
      'Bearer hf_secret',
    ]);
  });

  it('goes to no other address', async () => {
    const { fetch, asked } = fakeFetch({ '/config.json': CONFIG });
    await fetchModel('https://example.com/config.json', { fetch, token });
    await fetchModel('http://huggingface.co.example.com/config.json', { fetch, token });
    expect(asked.map(({ headers }) => headers)).toEqual(Array(asked.length).fill(undefined));
  });

  it('does not follow a redirect to another origin', async () => {
    const other = await serve((_request, response) => response.end(JSON.stringify(QUANTIZED)));
    const hub = await serve((request, response) => {
      if (request.url.startsWith('/org')) {
        response.writeHead(307, { location: `/cache${request.url}` }).end();
      } else {
        response.writeHead(302, { location: `${other.origin}/file` }).end();
      }
    });
    const { model } = await fetchModel('org/name', { hub: hub.origin, token });
    expect(model.config).toEqual(QUANTIZED);
    expect(hub.seen.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill('Bearer hf_secret'),
    );
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it.each(['two words', 'line\nbreak', 'ü'])(
    'is refused unsent and unquoted when it is %j',
    async (bad) => {
      const { fetch, asked } = fakeFetch({});
      const error = await failure(fetchModel('org/name', { fetch, token: bad }));
      expect(error.code).toBe('bad_token');
      expect(error.message).not.toContain(bad);
      expect(asked).toEqual([]);
    },
  );
});

describe('each failure says what to do', () => {
  const status = (code, headers) =>
    failure(
      fetchModel('org/name', { fetch: async () => new Response('', { status: code, headers }) }),
    );

  it.each([
    [401, {}, 'gated', /licence.*token.*paste/],
    [403, { 'x-error-code': 'GatedRepo' }, 'gated', /licence.*token.*paste/],
    [401, { 'x-error-code': 'RepoNotFound' }, 'not_found', /spelling.*token/],
    [404, { 'x-error-code': 'RepoNotFound' }, 'not_found', /spelling/],
    [404, { 'x-error-code': 'RevisionNotFound' }, 'not_found', /revision/],
    [404, { 'x-error-code': 'EntryNotFound' }, 'not_found', /GGUF.*adapter.*paste/],
    [404, {}, 'not_found', /Check the id/],
    [429, {}, 'rate_limited', /Wait/],
    [503, {}, 'http', /503.*later/],
  ])('status %i %j is %s', async (code, headers, expected, words) => {
    const error = await status(code, headers);
    expect(error).toBeInstanceOf(HubError);
    expect(error).toMatchObject({ code: expected, status: code });
    expect(error.message).toMatch(words);
    expect(error.message).toContain('huggingface.co');
  });

  it('a token that does not open the model', async () => {
    const fetch = async () => new Response('', { status: 403 });
    const error = await failure(fetchModel('org/name', { fetch, token: 'hf_secret' }));
    expect(error.message).toContain('this token does not open it');
    expect(error.message).not.toContain('hf_secret');
  });

  it('a login page in place of JSON', async () => {
    const { origin } = await serve((_request, response) => response.end('<html>Sign in</html>'));
    const error = await failure(fetchModel('org/name', { hub: origin }));
    expect(error.code).toBe('not_json');
    expect(error.message).toMatch(/login page.*paste/);
  });

  it('a page of the hub that is no model', async () => {
    const fetch = () => expect.fail('it need not be asked');
    const error = await failure(fetchModel('https://huggingface.co/datasets/org/name', { fetch }));
    expect(error.code).toBe('not_a_model');
  });

  it('a file that is too large, announced or not', async () => {
    const blob = 'x'.repeat(1000);
    const { origin } = await serve((request, response) => {
      if (request.url.startsWith('/announced')) response.setHeader('content-length', 6_000_000);
      const more = () => {
        while (!response.destroyed && response.write(blob));
      };
      response.on('drain', more);
      more();
    });
    for (const path of ['announced', 'endless']) {
      const error = await failure(fetchModel(`${origin}/${path}/config.json`));
      expect(error.code).toBe('too_large');
      expect(error.message).toContain('5 MB');
    }
  });

  it('no answer in time, before the headers or within the body', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url.startsWith('/body')) response.write('{');
    });
    for (const path of ['headers', 'body']) {
      const error = await failure(fetchModel(`${origin}/${path}/x.json`, { timeoutMs: 100 }));
      expect(error.code).toBe('timeout');
      expect(error.message).toContain('0.1 s');
    }
  });

  it('a server that is not there', async () => {
    const { origin, close } = await serve(() => {});
    await close();
    servers.pop();
    const error = await failure(fetchModel('org/name', { hub: origin }));
    expect(error).toMatchObject({ code: 'offline' });
    expect(error.message).toMatch(/ECONNREFUSED.*paste/);
  });

  it.each([
    ['ENOTFOUND', 'offline', /not known here/],
    ['EAI_AGAIN', 'offline', /not known here/],
    ['UND_ERR_CONNECT_TIMEOUT', 'offline', /proxy/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'network', /NODE_EXTRA_CA_CERTS/],
    ['ECONNRESET', 'network', /Try again/],
  ])('the system error %s', async (code, expected, words) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
    const error = await failure(fetchModel('org/name', { fetch: () => Promise.reject(cause) }));
    expect(error.code).toBe(expected);
    expect(error.message).toMatch(words);
    expect(error.cause).toBe(cause);
  });

  it.each([
    [true, 'cors', /CORS.*paste/],
    [false, 'offline', /offline.*paste/],
  ])('a browser that is online: %s', async (onLine, expected, words) => {
    vi.stubGlobal('navigator', { onLine });
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const error = await failure(fetchModel('org/name', { fetch }));
    expect(error.code).toBe(expected);
    expect(error.message).toMatch(words);
  });

  it('a caller that gives up gets its own reason back', async () => {
    const { origin } = await serve(() => {});
    const control = new AbortController();
    const pending = failure(fetchModel('org/name', { hub: origin, signal: control.signal }));
    const reason = new Error('a newer question');
    control.abort(reason);
    expect(await pending).toBe(reason);
    expect(await failure(fetchModel('org/name', { signal: control.signal }))).toBe(reason);
  });
});
