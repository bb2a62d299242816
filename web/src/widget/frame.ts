import type { RidgepointCalculator } from './element';
import { TEXTS } from './setup';

// The calculator as a page of its own for an <iframe>: parameters of the address in, messages out.
// The frame may be sandboxed down to `allow-scripts`, so nothing here touches a storage, and it
// leaves the history of the page around it alone.

const SETTINGS = [...TEXTS, 'view', 'theme', 'lang', 'site'] as const;

/** What stands behind `?` or `#`; the hash counts where both say something. */
function parameters(): URLSearchParams {
  const all = new URLSearchParams(location.search);
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) all.set(name, value);
  return all;
}

const originOf = (address: string | null | undefined): string | null => {
  try {
    const { origin } = new URL(address ?? '');
    return origin === 'null' ? null : origin;
  } catch {
    return null;
  }
};

/** The origin of the page around, by its own word or by the browser's; null where neither tells. */
function hostOrigin(parent: string | null): string | null {
  if (parent !== null) return originOf(parent);
  const [first] = location.ancestorOrigins ?? [];
  return originOf(first ?? document.referrer);
}

const isOn = (value: unknown) =>
  value !== null && value !== undefined && value !== false && value !== 'false';

/** The document has a language of its own, which the calculator takes over. */
function speak(lang: unknown) {
  const wanted = [lang, ...navigator.languages].map((each) => String(each).slice(0, 2));
  document.documentElement.lang = wanted.find((each) => /^(en|ru|zh)$/.test(each)) ?? 'en';
}

function apply(element: RidgepointCalculator, settings: Record<string, unknown>) {
  for (const name of SETTINGS) {
    const value = settings[name];
    if (value === undefined) continue;
    if (value === null) element.removeAttribute(name);
    else
      element.setAttribute(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  if ('lang' in settings) speak(settings.lang);
  if ('readonly' in settings) element.readonly = isOn(settings.readonly);
  if ('config' in settings) element.config = settings.config as Record<string, unknown> | null;
}

export function startFrame(): void {
  const style = new CSSStyleSheet();
  style.replaceSync(':root { color-scheme: light dark } body { margin: 0 }');
  document.adoptedStyleSheets = [style];
  const given = parameters();
  const host = hostOrigin(given.get('parent'));
  const element = document.createElement('ridgepoint-calculator') as RidgepointCalculator;

  const tell = (message: object) => {
    // Nothing here is secret before the page around has put something in, and only a known one can.
    if (window.parent !== window) window.parent.postMessage(message, host ?? '*');
  };
  element.addEventListener('ridgepoint:report', (event) =>
    tell({ type: 'ridgepoint:report', ...(event as CustomEvent<object>).detail }),
  );
  element.addEventListener('ridgepoint:error', (event) =>
    tell({ type: 'ridgepoint:error', ...(event as CustomEvent<object>).detail }),
  );
  window.addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
    if (host === null || origin !== host || source !== window.parent) return;
    const message = data as { type?: unknown } | null;
    if (typeof message !== 'object' || message?.type !== 'ridgepoint:set') return;
    apply(element, message as Record<string, unknown>);
  });
  window.addEventListener('hashchange', () => apply(element, Object.fromEntries(parameters())));

  speak(given.get('lang'));
  apply(element, Object.fromEntries(given));
  (document.querySelector('main') ?? document.body).append(element);
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    tell({ type: 'ridgepoint:height', height });
  }).observe(element);
}
