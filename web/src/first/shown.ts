// Whether the page that the HTML itself holds is seen: an attribute of the document, which the style
// sheet reads.

export const showFirstPage = (): void => document.documentElement.setAttribute('data-first', '');
export const hideFirstPage = (): void => document.documentElement.removeAttribute('data-first');
export const isFirstPageShown = (): boolean => document.documentElement.hasAttribute('data-first');
