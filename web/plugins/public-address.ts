import type { Plugin } from 'vite';

/**
 * Sites that show a link fetch its picture by a whole address. The page works from any place, so the
 * build is told of one: RIDGEPOINT_SITE=https://example.org/ridgepoint/.
 */
export function publicAddress(site = process.env.RIDGEPOINT_SITE): Plugin {
  return {
    name: 'public-address',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        if (!site) return html;
        const base = new URL(site.endsWith('/') ? site : `${site}/`);
        const found = html.replace(
          /(property="og:image" content=")([^"]+)/,
          (_, before: string, path: string) => before + new URL(path, base).href,
        );
        return {
          html: found,
          tags: [
            { tag: 'meta', attrs: { property: 'og:url', content: base.href }, injectTo: 'head' },
            { tag: 'link', attrs: { rel: 'canonical', href: base.href }, injectTo: 'head' },
          ],
        };
      },
    },
  };
}
