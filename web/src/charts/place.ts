// Where a chart stands: how wide its place is, how large its text, and which of its points is read.

const UNKNOWN = 640;
const SMALL = 13;

export class Place {
  /** CSS pixels; a guess until the chart is on the page. */
  width = UNKNOWN;
  /** Height of small text in CSS pixels, which grows with the reader's own setting. */
  type = SMALL;
  /** The point under the pointer or the keyboard's cursor. */
  reading: number | null = null;
  #element: Element | null = null;
  readonly #observer: ResizeObserver;

  constructor(private readonly changed: () => void) {
    this.#observer = new ResizeObserver(([entry]) => {
      if (entry) this.#measure(entry.contentRect.width);
    });
  }

  /** For the `ref` of the element that the chart fills. */
  readonly attach = (element?: Element): void => {
    if (this.#element) this.#observer.unobserve(this.#element);
    this.#element = element ?? null;
    if (this.#element) this.#observer.observe(this.#element);
  };

  readonly read = (point: number | null): void => {
    if (point === this.reading) return;
    this.reading = point;
    this.changed();
  };

  /** All that the picture depends on besides what it shows. */
  get look(): string {
    return `${this.width} ${this.type} ${this.reading}`;
  }

  #measure(width: number): void {
    const type =
      (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16) * SMALL;
    // A folded place has no width, and keeps the last one.
    if (width < 1 || (Math.round(width) === this.width && type === this.type)) return;
    this.width = Math.round(width);
    this.type = type;
    this.changed();
  }
}
