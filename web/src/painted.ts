/** Longer than any paint takes that comes at all; a page in the background has none. */
const PATIENCE_MS = 500;

/** Calls back once what is drawn now has been painted; returns how to call that off. */
export function afterPaint(then: () => void): () => void {
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    then();
  };
  requestAnimationFrame(() => setTimeout(end));
  setTimeout(end, document.hidden ? 0 : PATIENCE_MS);
  return () => {
    over = true;
  };
}
