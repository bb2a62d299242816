// A chart as a file that needs no style sheet: what the page's styles gave it is written into
// attributes.

export interface About {
  name: string;
  title: string;
  caption: string;
}

const SVG = 'http://www.w3.org/2000/svg';
const FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif';
const MARGIN = 16;
const LINE = 20;
const SHARPNESS = 2;

const looks = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'opacity',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

/** What only the page needs: names for scripts and styles, and what reads the picture aloud. */
const pageOnly = /^(?:class|style|id|tabindex|data-.*|aria-.*|role)$/;

/** The element as it looks now, without what is not shown; null where that is all of it. */
function still(element: Element): Element | null {
  const style = getComputedStyle(element);
  const copy = element.cloneNode(false) as Element;
  if (style.display === 'none' && !element.closest('defs')) return null;
  const isDefinition = /^(?:pattern|clipPath|defs|marker)$/.test(element.localName);
  for (const { name } of [...copy.attributes]) {
    if (pageOnly.test(name) && !(name === 'id' && isDefinition)) copy.removeAttribute(name);
  }
  if (!isDefinition && element.localName !== 'title' && element.localName !== 'desc') {
    for (const look of looks) {
      const value = style.getPropertyValue(look);
      // The page's own addresses of patterns hold for it alone.
      if (value) copy.setAttribute(look, value.replace(/url\("[^"#]*#/g, 'url("#'));
    }
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) {
      const part = still(child);
      if (part) copy.append(part);
    } else if (child.nodeType === Node.TEXT_NODE) {
      copy.append(child.cloneNode());
    }
  }
  return copy;
}

/** Patterns may be defined in another picture of the page. */
function foreignPatterns(picture: Element): Element[] {
  const text = new XMLSerializer().serializeToString(picture);
  const wanted = new Set([...text.matchAll(/#([\w-]+)(?:&quot;|"|\))/g)].map(([, id]) => id ?? ''));
  return [...wanted].flatMap((id) => {
    const element = document.getElementById(id);
    return element instanceof SVGElement && !picture.querySelector(`[id="${id}"]`)
      ? (still(element) ?? [])
      : [];
  });
}

function element(name: string, attributes: Record<string, string | number>, text = ''): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** A picture with its title, on the page's own paper. */
export function selfContained(svg: SVGSVGElement, about: About): SVGSVGElement {
  const { width, height } = svg.getBoundingClientRect();
  const page = getComputedStyle(svg);
  const copy = still(svg) as SVGSVGElement;
  const patterns = foreignPatterns(copy);
  if (patterns.length > 0) {
    const defs = element('defs', {});
    defs.append(...patterns);
    copy.prepend(defs);
  }
  copy.setAttribute('x', String(MARGIN));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('overflow', 'visible');
  const lines = [about.title, about.caption].filter((line) => line !== '');
  const top = MARGIN + lines.length * LINE;
  copy.setAttribute('y', String(top));
  const [wide, high] = [Math.ceil(width + MARGIN * 2), Math.ceil(top + height + MARGIN)];
  const whole = element('svg', {
    width: wide,
    height: high,
    viewBox: `0 0 ${wide} ${high}`,
    'font-family': FONT,
  }) as SVGSVGElement;
  const ink = page.getPropertyValue('--ink').trim() || 'black';
  const paper = page.getPropertyValue('--paper').trim() || 'white';
  whole.append(
    element('title', {}, about.title),
    element('rect', { width: wide, height: high, fill: paper }),
    ...lines.map((line, index) =>
      element(
        'text',
        {
          x: MARGIN,
          y: MARGIN + 4 + index * LINE,
          fill: ink,
          'font-size': index === 0 ? 15 : 12,
          'font-weight': index === 0 ? 600 : 400,
          'dominant-baseline': 'central',
        },
        line,
      ),
    ),
    copy,
  );
  return whole;
}

const textOf = (svg: SVGSVGElement) => new XMLSerializer().serializeToString(svg);

function hand(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser still reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function saveSvg(svg: SVGSVGElement, about: About): Promise<void> {
  const blob = new Blob([textOf(selfContained(svg, about))], { type: 'image/svg+xml' });
  hand(blob, `ridgepoint-${about.name}.svg`);
}

export async function savePng(svg: SVGSVGElement, about: About): Promise<void> {
  const whole = selfContained(svg, about);
  const [width, height] = ['width', 'height'].map((side) => Number(whole.getAttribute(side)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(whole))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = (width ?? 0) * SHARPNESS;
  canvas.height = (height ?? 0) * SHARPNESS;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) hand(blob, `ridgepoint-${about.name}.png`);
}
