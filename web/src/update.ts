/** Takes over the new version: the page is loaded again, its address and inputs stay. */
export type TakeOver = () => void;

const HOUR_MS = 3_600_000;

const told: ((takeOver: TakeOver) => void)[] = [];
let ready: TakeOver | null = null;

/** Calls back once a newer version lies ready on this machine. */
export function onUpdate(callback: (takeOver: TakeOver) => void): void {
  told.push(callback);
  if (ready) callback(ready);
}

function announce(worker: ServiceWorker) {
  ready = () => {
    // Another window may have taken it over already.
    if (worker.state !== 'installed') {
      location.reload();
      return;
    }
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    });
    worker.postMessage('skipWaiting');
  };
  for (const callback of told) callback(ready);
}

function watch(registration: ServiceWorkerRegistration) {
  const waiting = () => {
    if (registration.active && registration.waiting) announce(registration.waiting);
  };
  waiting();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', waiting);
  });
  let asked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - asked < HOUR_MS) return;
    asked = performance.now();
    registration.update().catch(() => {});
  });
}

/**
 * Keeps the files of the page on this machine, so that it opens without a network. Not from a disk,
 * where they are, and not inside another site's frame.
 */
export function keepPage(): void {
  const hosted = /^https?:$/.test(location.protocol);
  if (!hosted || window !== window.top || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker
    .register('./sw.js', { updateViaCache: 'none' })
    .then(watch)
    // A browser that forbids it (a private window, a setting) shows the page all the same.
    .catch(() => {});
}
