import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate } from './certificate';

// A server that stands in for the model hub, with a repository for each way it can answer. The page
// asks none but encrypted ones.

export const TOKEN = 'hf_reads_the_gated_one';

export const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/configs/${name}.json`, import.meta.url), 'utf8');

const config = fixture('Qwen--Qwen3-8B');

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const json = (body: string): Answer => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/json' },
});

const failure = (status: number, code: string): Answer => ({
  status,
  body: code,
  headers: { 'x-error-code': code },
});

function answer(repository: string, revision: string, file: string, token: string): Answer {
  if (file !== 'config.json') return failure(404, 'EntryNotFound');
  switch (repository) {
    case 'org/open':
      return revision === 'main' || revision === 'v2'
        ? json(config)
        : failure(404, 'RevisionNotFound');
    case 'org/gated':
      if (token === '') return failure(401, 'GatedRepo');
      return token === `Bearer ${TOKEN}` ? json(config) : failure(403, 'GatedRepo');
    case 'org/private':
      return failure(401, 'RepoNotFound');
    case 'org/page':
      return { status: 200, body: '<!doctype html><title>Log in</title>' };
    case 'org/broken':
      return json(config.slice(0, 40));
    case 'org/slow':
      return { status: 0, body: '' };
    default:
      return failure(404, 'EntryNotFound');
  }
}

export interface Seen {
  method: string;
  url: string;
  authorization: string;
  referer: string;
  body: string;
}

export class Hub {
  readonly seen: Seen[] = [];
  #server: Server;

  /** Without `cors` no page may read the answers. */
  constructor(private readonly cors = true) {
    this.#server = createServer(
      certificate(),
      (request, response) => void this.#answer(request, response),
    );
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    let body = '';
    for await (const part of request) body += part;
    const { method = '', url = '' } = request;
    const { authorization = '', referer = '' } = request.headers;
    this.seen.push({ method, url, authorization, referer, body });
    if (this.cors) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', 'authorization');
      response.setHeader('access-control-expose-headers', 'x-error-code');
    }
    if (method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const parts = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/([^/?]+)$/.exec(url);
    const plain = url === '/somewhere/config.json' ? json(config) : failure(404, 'EntryNotFound');
    const [, repository = '', revision = '', file = ''] = parts ?? [];
    const {
      status,
      body: text,
      headers,
    } = parts ? answer(repository, revision, file, authorization) : plain;
    if (status === 0) return;
    response.writeHead(status, headers).end(text);
  }
}
