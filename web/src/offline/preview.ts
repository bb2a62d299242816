// Stands in for ../rooms/embed/preview.ts: the widget from the file itself, with its core.

export async function loadWidget(): Promise<void> {
  await import('../widget/main');
}
