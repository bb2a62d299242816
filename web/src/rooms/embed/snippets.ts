import { quote } from '../../command';
import { CUSTOM_GPU, flagsOf, type Inputs } from '../../state';
import { cardText } from '../../widget/setup';

// The lines to be put into another page.

export type Kind = 'element' | 'iframe' | 'badge' | 'link';

export interface Look {
  view: 'verdict' | 'bar' | 'full';
  theme: 'auto' | 'light' | 'dark' | 'contrast';
  /** Empty: that of the page around. */
  lang: '' | 'en' | 'ru' | 'zh';
  readonly: boolean;
  link: boolean;
}

/** What stands in for the address of a page that has none. */
export const NO_ADDRESS = 'https://your-site.example/ridgepoint/';

/** Where this page is, with a slash at its end. */
export function siteOf(address: string): string {
  const url = new URL('./', address);
  return /^https?:$/.test(url.protocol) ? url.href : NO_ADDRESS;
}

const heights = { verdict: 160, bar: 380, full: 900 };

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function flagText(inputs: Inputs): string {
  const words = Object.entries(flagsOf(inputs))
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => {
      if (value === 'true') return `--${name}`;
      if (value === 'false') return `--no-${name}`;
      return `--${name} ${quote(value)}`;
    });
  return words.join(' ');
}

/** The attributes of the element, in the order people write them; empty ones are left out. */
export function attributesOf(inputs: Inputs, look: Look, site: string): Record<string, string> {
  const { version, engine } = inputs;
  const count = inputs.count.trim() === '1' ? '' : inputs.count.trim();
  const all = {
    model: inputs.use === 'config' ? inputs.configName : inputs.model.trim(),
    gpu: inputs.gpu === CUSTOM_GPU ? '' : cardText(inputs.gpu, count),
    engine: version.trim() === '' ? engine : `${engine}@${version.trim()}`,
    ctx: inputs.context,
    prompt: inputs.prompt,
    output: inputs.output,
    concurrency: inputs.concurrency,
    flags: flagText(inputs),
    view: look.view,
    theme: look.theme === 'auto' ? '' : look.theme,
    lang: look.lang,
    site: look.link ? site : '',
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

export function elementSnippet(
  attributes: Record<string, string>,
  readonly: boolean,
  config: object | null,
  site: string,
): string {
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  const all = [
    ...(config ? ['id="ridgepoint-1"'] : []),
    ...written,
    ...(readonly ? ['readonly'] : []),
  ];
  const lines = [
    `<script src="${escaped(site)}widget/ridgepoint-widget.js" async></script>`,
    `<ridgepoint-calculator\n  ${all.join('\n  ')}\n></ridgepoint-calculator>`,
  ];
  if (config) {
    // A script ends at its end tag, wherever that stands.
    const text = JSON.stringify(config).replaceAll('<', '\\u003c');
    lines.push(`<script>\n  document.querySelector('#ridgepoint-1').config = ${text};\n</script>`);
  }
  return lines.join('\n');
}

export function iframeSnippet(
  attributes: Record<string, string>,
  look: Look,
  site: string,
  title: string,
): string {
  const query = new URLSearchParams(attributes);
  if (look.readonly) query.set('readonly', '');
  const readable = query
    .toString()
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replaceAll('%40', '@');
  // The link in the frame opens a page beside it, which a sandbox must allow.
  const sandbox = look.link
    ? 'allow-scripts allow-popups allow-popups-to-escape-sandbox'
    : 'allow-scripts';
  return [
    '<iframe',
    `  title="${escaped(title)}"`,
    `  src="${escaped(`${site}embed.html?${readable}`)}"`,
    `  sandbox="${sandbox}"`,
    '  loading="lazy"',
    `  height="${heights[look.view]}"`,
    '  style="width: 100%; border: 0"',
    '></iframe>',
    `<script src="${escaped(site)}widget/iframe-height.js"></script>`,
  ].join('\n');
}

const BADGE_FILE = 'ridgepoint.svg';

/** The command line of the answer, asked for a picture. */
export const badgeCommand = (fit: string) =>
  `${fit.replace(/^ridgepoint fit /, 'npx ridgepoint badge ')} --out ${BADGE_FILE}`;

const bracketed = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('[', '\\[').replaceAll(']', '\\]');

export const badgeMarkdown = (title: string, link: string) =>
  `[![${bracketed(title)}](${BADGE_FILE})](${link})`;

export const linkMarkdown = (text: string, link: string) => `[${bracketed(text)}](${link})`;

export const linkHtml = (text: string, link: string) =>
  `<a href="${escaped(link)}">${escaped(text)}</a>`;
