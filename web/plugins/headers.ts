import type { Plugin } from 'vite';
import { bytesOf, OFFLINE_COPY, publicFiles } from './emitted.ts';

const POLICY = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/;

/** Pages that other sites may show in a frame. */
const framed = (page: string) => /^embed\b/.test(page);

function pagePolicy(page: string, html: string): string {
  const policy = POLICY.exec(html)?.[1];
  if (policy === undefined) throw new Error(`${page} has no Content-Security-Policy`);
  // `frame-ancestors *` would shut out pages without an origin: from a disk, or sandboxed.
  return framed(page) ? policy : `${policy}; frame-ancestors 'self'`;
}

/** Where a host may serve a page: some leave `index.html` and `.html` out of their addresses. */
const addresses = (page: string) => [
  `/${page}`,
  `/${page.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`,
];

const rule = (address: string, headers: Record<string, string>) =>
  [address, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

/**
 * `_headers`, as Netlify and Cloudflare Pages read it: each page's own policy again, with what a
 * meta element cannot say. No two rules give one file the same header, for hosts differ in which
 * of them they send then.
 */
export function headersFile(): Plugin {
  let publicDir = '';
  return {
    name: 'headers-file',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = publicFiles(publicDir);
        for (const file of Object.values(bundle)) files.set(file.fileName, bytesOf(file));
        const pages = [...files].filter(
          ([name]) => name.endsWith('.html') && name !== OFFLINE_COPY,
        );
        const rules = [
          rule('/*', { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }),
          ...pages.flatMap(([name, body]) => {
            const policy = pagePolicy(name, body.toString());
            return addresses(name).map((address) =>
              rule(address, { 'Content-Security-Policy': policy }),
            );
          }),
          // A worker's policy is that of its own file.
          rule('/assets/*', {
            'Content-Security-Policy':
              "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
            'Cache-Control': 'public, max-age=31536000, immutable',
          }),
          // For other sites' pages, also those that take in only what allows it.
          rule('/widget/*', {
            'Access-Control-Allow-Origin': '*',
            'Cross-Origin-Resource-Policy': 'cross-origin',
          }),
          rule('/sw.js', {
            'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
            'Cache-Control': 'no-cache',
          }),
        ];
        this.emitFile({ type: 'asset', fileName: '_headers', source: `${rules.join('\n\n')}\n` });
      },
    },
  };
}
