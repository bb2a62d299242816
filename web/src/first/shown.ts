// Whether the page that the HTML itself holds is seen: an attribute of the document, which the style
// sheet reads.

export const showFirstPage = (): void => document.documentElement.setAttribute('data-first', '');
export const hideFirstPage = (): void => document.documentElement.removeAttribute('data-first');
export const isFirstPageShown = (): boolean => document.documentElement.hasAttribute('data-first');

/** Longer than any paint takes that comes at all; a page in the background has none. */
const PATIENCE_MS = 500;

/** The reader gets to see it before the page's own work begins. */
export const firstPagePainted = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, document.hidden ? 0 : PATIENCE_MS);
  });
