// The build puts VERSION and FILES before this: each file of the page by its path, with its hash.
// Nothing but these files is ever answered from here, and no other origin is touched.
/* global VERSION, FILES */

const scope = new URL(self.registration.scope);
const family = `ridgepoint ${scope.href} `;
const current = family + VERSION;

/** The address that a file is kept under, or null for what is not the page's own. */
function kept(address) {
  const { origin, pathname } = new URL(address);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return null;
  const path = pathname.slice(scope.pathname.length).replace(/^index\.html$/, '');
  // Some hosts leave the ending of a page out of its address.
  const page = `${path}.html`;
  if (Object.hasOwn(FILES, page)) return new URL(page, scope).href;
  // A page that was open before an update still asks for files of its own version.
  return Object.hasOwn(FILES, path) || path.startsWith('assets/')
    ? new URL(path, scope).href
    : null;
}

async function keep(cache, path, integrity) {
  const address = new URL(path, scope).href;
  const named = path.startsWith('assets/');
  // A host that is half way through an update fails the hash; the browser tries again later.
  const answer =
    (named && (await caches.match(address))) ||
    (await fetch(address, { integrity, cache: named ? 'default' : 'no-cache' }));
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  // No navigation takes an answer that came by a redirect.
  await cache.put(address, answer.redirected ? new Response(answer.body, answer) : answer);
}

async function install() {
  const cache = await caches.open(current);
  await Promise.all(Object.entries(FILES).map(([path, hash]) => keep(cache, path, hash)));
}

/** The version before this one stays, for pages that are still open. */
async function forget() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(family) && name !== current);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request, address) {
  const cache = await caches.open(current);
  const options = { ignoreVary: true };
  return (
    (await cache.match(address, options)) ??
    (await caches.match(address, options)) ??
    fetch(request)
  );
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(forget()));
self.addEventListener('message', ({ data }) => {
  if (data === 'skipWaiting') self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const address = event.request.method === 'GET' ? kept(event.request.url) : null;
  if (address !== null) event.respondWith(answer(event.request, address));
});
