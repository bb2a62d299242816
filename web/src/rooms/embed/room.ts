import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { ErrorReport, Report, Request } from 'ridgepoint';
import { type BadgeText, badgeSvg, badgeText } from 'ridgepoint/badge';
import { commandOf } from '../../command';
import { type Lang, languages } from '../../format';
import { icon } from '../../parts';
import { builtIn } from '../../request';
import type { Answer } from '../../session';
import { CUSTOM_GPU } from '../../state';
import { type Host, type Room, themes, type View } from '../../views/context';
import { setupLine } from '../../views/verdict';
import { loadWidget } from './preview';
import './room.css';
import {
  attributesOf,
  badgeCommand,
  badgeMarkdown,
  elementSnippet,
  iframeSnippet,
  type Kind,
  type Look,
  linkHtml,
  linkMarkdown,
  NO_ADDRESS,
  siteOf,
} from './snippets';
import { type EmbedWords, words } from './words';

// How to put this setup into another page: an element, a frame, a badge or a link.

const kinds: Kind[] = ['element', 'iframe', 'badge', 'link'];
const views: Look['view'][] = ['verdict', 'bar', 'full'];
const ownNames: Record<Lang, string> = { en: 'English', ru: 'Русский', zh: '中文' };

/** The model's config, where it is not one that the widget knows by its name. */
function configOf({ inputs, fetched, catalogue }: View): Record<string, unknown> | null {
  if (inputs.use === 'id') {
    if (builtIn(inputs.model, catalogue)) return null;
    return fetched?.model.config ?? null;
  }
  try {
    return JSON.parse(inputs.config);
  } catch {
    return null;
  }
}

/** What the widget has no word for. */
function leftOut(
  { inputs, weights }: View,
  kind: Kind,
  config: object | null,
  { parts }: EmbedWords,
) {
  const all: [boolean, string][] = [
    [kind === 'iframe' && config !== null, parts.config],
    [Object.keys(inputs.measured).length > 0, parts.measured],
    [Object.keys(inputs.env).length > 0, parts.env],
    [inputs.free !== '', parts.free],
    [inputs.quant !== '', parts.quant],
    [weights !== null, parts.weights],
    [inputs.gpu === CUSTOM_GPU || inputs.gpuTotal !== '', parts.card],
  ];
  return all.filter(([on]) => on).map(([, name]) => name);
}

class EmbedRoom implements Room {
  #kind: Kind = 'element';
  #look: Look = { view: 'bar', theme: 'auto', lang: '', readonly: false, link: true };
  #widget: 'loading' | 'there' | 'failed' = 'loading';
  #link = '';
  #linkFor = '';
  #copied = '';

  constructor(private readonly host: Host) {
    loadWidget().then(
      () => this.#became('there'),
      () => this.#became('failed'),
    );
  }

  #became(state: 'there' | 'failed') {
    this.#widget = state;
    this.host.redraw();
  }

  #set(patch: Partial<Look>) {
    this.#look = { ...this.#look, ...patch };
    this.host.redraw();
  }

  async #refreshLink(page: View, now: string) {
    this.#linkFor = now;
    this.#link = await page.actions.link();
    this.host.redraw();
  }

  /** The page's own notice lies behind this dialog, so the dialog says itself what was done. */
  async #copy({ locale }: View, what: string, text: string) {
    const { copied, notCopied } = locale.words.app;
    try {
      await navigator.clipboard.writeText(text);
      this.#copied = copied(what);
    } catch {
      this.#copied = notCopied(what);
    }
    this.host.redraw();
  }

  #kinds(told: EmbedWords) {
    return html`<fieldset class="embed-kinds">
      <legend>${told.kind}</legend>
      <div>
        ${kinds.map(
          (kind) => html`<label class="embed-choice">
            <input
              type="radio"
              name="embed-kind"
              value=${kind}
              .checked=${live(kind === this.#kind)}
              @change=${() => {
                this.#kind = kind;
                this.#copied = '';
                this.host.redraw();
              }}
            />
            ${told.kinds[kind]}
          </label>`,
        )}
      </div>
      <p class="hint">${told.about[this.#kind]}</p>
    </fieldset>`;
  }

  #choice<T extends string>(
    id: string,
    label: string,
    values: readonly T[],
    chosen: T,
    text: (value: T) => string,
    set: (value: T) => void,
  ) {
    return html`<div class="field">
      <label for="embed-${id}">${label}</label>
      <select
        id="embed-${id}"
        .value=${live(chosen)}
        @change=${(event: Event) => set((event.target as HTMLSelectElement).value as T)}
      >
        ${values.map(
          (value) =>
            html`<option value=${value} ?selected=${value === chosen}>${text(value)}</option>`,
        )}
      </select>
    </div>`;
  }

  #tick(label: string, on: boolean, set: (on: boolean) => void) {
    return html`<label class="check">
      <input
        type="checkbox"
        .checked=${live(on)}
        @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
      />
      ${label}
    </label>`;
  }

  #settings({ locale }: View, told: EmbedWords) {
    const look = this.#look;
    const themeNames = { ...locale.words.app.themes, auto: told.themeAuto };
    return html`<fieldset class="embed-look">
      <legend>${told.look}</legend>
      <div class="embed-row">
        ${this.#choice(
          'view',
          told.view,
          views,
          look.view,
          (view) => told.views[view],
          (view) => this.#set({ view }),
        )}
        ${this.#choice(
          'theme',
          told.theme,
          themes,
          look.theme,
          (theme) => themeNames[theme],
          (theme) => this.#set({ theme }),
        )}
        ${this.#choice(
          'lang',
          told.language,
          ['', ...languages] as const,
          look.lang,
          (lang) => (lang === '' ? told.languageAuto : ownNames[lang]),
          (lang) => this.#set({ lang }),
        )}
      </div>
      ${look.view === 'full' ? this.#tick(told.readonly, look.readonly, (on) => this.#set({ readonly: on })) : nothing}
      ${this.#tick(told.withLink, look.link, (on) => this.#set({ link: on }))}
    </fieldset>`;
  }

  #preview(attributes: Record<string, string>, config: object | null, told: EmbedWords) {
    if (this.#widget === 'loading') {
      return html`<p class="waiting">${icon('wait')} ${told.previewLoading}</p>`;
    }
    if (this.#widget === 'failed') {
      return html`<p class="waiting">${icon('warn')} ${told.previewFailed}</p>`;
    }
    const at = (name: string) => attributes[name] ?? nothing;
    return html`<ridgepoint-calculator
      model=${at('model')}
      gpu=${at('gpu')}
      engine=${at('engine')}
      ctx=${at('ctx')}
      prompt=${at('prompt')}
      output=${at('output')}
      concurrency=${at('concurrency')}
      flags=${at('flags')}
      view=${at('view')}
      theme=${at('theme')}
      lang=${at('lang')}
      site=${at('site')}
      ?readonly=${this.#look.readonly}
      .config=${config}
    ></ridgepoint-calculator>`;
  }

  #line(page: View, told: EmbedWords, what: keyof EmbedWords['copies'], text: string) {
    const name = told.copies[what];
    return html`<div class="embed-line">
      <p>
        <span class="hint embed-name">${name}</span>
        <button type="button" @click=${() => this.#copy(page, name, text)}>${page.locale.words.take.copy(name)}</button>
      </p>
      <pre tabindex="0" aria-label=${name}><code>${text}</code></pre>
    </div>`;
  }

  #embedded(page: View, answer: Answer, told: EmbedWords, site: string): TemplateResult {
    const look = this.#look;
    const config = configOf(page);
    const attributes = attributesOf(page.inputs, look, site);
    const missing = leftOut(page, this.#kind, config, told);
    const text =
      this.#kind === 'element'
        ? elementSnippet(attributes, look.readonly && look.view === 'full', config, site)
        : iframeSnippet(attributes, look, site, `ridgepoint: ${setupLine(page.locale, answer)}`);
    return html`${this.#settings(page, told)}
      <div class="embed-preview">
        <h3>${told.preview}</h3>
        ${this.#preview(attributes, config, told)}
      </div>
      <div class="embed-lines">
        <h3>${told.copyThis}</h3>
        ${this.#line(page, told, 'html', text)}
        ${missing.length > 0 ? html`<p>${icon('warn')} ${told.leftOut(missing.join(', '))}</p>` : nothing}
        ${this.#kind === 'element' ? html`<p class="hint">${told.host}</p>` : nothing}
        <p class="hint">${told.allSettings}</p>
      </div>`;
  }

  #badge(page: View, answer: Answer, told: EmbedWords) {
    const said: BadgeText = badgeText(
      answer.report as Report | ErrorReport,
      answer.request as Request,
    );
    const svg = badgeSvg(said);
    const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    picture.classList.add('embed-badge');
    return html`<div class="embed-preview">
        <h3>${told.preview}</h3>
        ${picture}
        <p class="buttons">
          <button type="button" @click=${() => save('ridgepoint.svg', svg)}>${told.saveFile}</button>
        </p>
      </div>
      <div class="embed-lines">
        <h3>${told.copyThis}</h3>
        ${this.#line(page, told, 'command', badgeCommand(commandOf(answer)))}
        ${this.#line(page, told, 'markdown', badgeMarkdown(said.title, this.#link))}
      </div>`;
  }

  #links(page: View, answer: Answer, told: EmbedWords) {
    const text = setupLine(page.locale, answer);
    return html`<div class="embed-lines">
      <h3>${told.copyThis}</h3>
      ${this.#line(page, told, 'link', this.#link)}
      ${this.#line(page, told, 'html', linkHtml(text, this.#link))}
      ${this.#line(page, told, 'markdown', linkMarkdown(text, this.#link))}
      <p class="hint">${page.locale.words.take.linkHint}</p>
    </div>`;
  }

  view(page: View): TemplateResult {
    const told = page.locale.pick(words);
    const { answer, problem, pending } = page.session;
    if (!answer || problem || pending !== null) return html`<p>${told.noAnswer}</p>`;
    const site = siteOf(location.href);
    const now = JSON.stringify(page.place);
    if (now !== this.#linkFor) void this.#refreshLink(page, now);
    const content =
      this.#kind === 'badge'
        ? this.#badge(page, answer, told)
        : this.#kind === 'link'
          ? this.#links(page, answer, told)
          : this.#embedded(page, answer, told, site);
    return html`<div class="embed">
      ${this.#kinds(told)}
      ${site === NO_ADDRESS ? html`<p>${icon('warn')} ${told.noAddress}</p>` : nothing}
      ${content}
      <p role="status" class="embed-said">${this.#copied}</p>
    </div>`;
  }
}

function save(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export const open = (host: Host): Room => new EmbedRoom(host);
