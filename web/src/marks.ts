// A number that changed is marked for a moment, so that the reader sees what an input did. The mark
// is an attribute outside the templates; the style sheet decides how it looks and fades.

const MARK_MS = 1400;
const seen = new Map<string, string>();
const timers = new WeakMap<Element, number>();

export function markChanges(root: ParentNode): void {
  for (const element of root.querySelectorAll('[data-n]')) {
    const key = element.getAttribute('data-n') ?? '';
    const text = element.textContent ?? '';
    const before = seen.get(key);
    seen.set(key, text);
    if (before === undefined || before === text) continue;
    element.setAttribute('data-changed', '');
    clearTimeout(timers.get(element));
    timers.set(
      element,
      window.setTimeout(() => element.removeAttribute('data-changed'), MARK_MS),
    );
  }
}
