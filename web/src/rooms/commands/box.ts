import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { icon } from '../../parts';
import type { View } from '../../views/context';
import type { CommandsWords } from './words';

// A box for what is pasted, typed, dropped or chosen as a file. What is long is not shown but
// named: typing elsewhere must not wait for it.

const LONG = 100_000;

interface Settings {
  id: string;
  label: string;
  hint: string;
  placeholder: string;
  accept: string;
  /** The largest file that is read, in bytes. */
  largest: number;
  /** Whether a file is read as text or handed on as bytes. */
  asText: boolean;
}

/** What is held in place of the box's text. */
interface Long {
  name: string;
  bytes: number;
  lines: number | null;
  content: string | File;
}

function linesOf(text: string): number {
  let lines = 1;
  for (
    let at = text.indexOf('\n');
    at >= 0 && at < text.length - 1;
    at = text.indexOf('\n', at + 1)
  ) {
    lines += 1;
  }
  return lines;
}

export class PasteBox {
  /** Another number for every change, in place of comparing long texts. */
  version = 0;
  #text = '';
  #long: Long | null = null;
  #tooLarge: string | null = null;

  constructor(private readonly changed: () => void) {}

  get empty(): boolean {
    return this.#long === null && this.#text.trim() === '';
  }

  /** Why there is nothing to read although something was given. */
  get tooLarge(): string | null {
    return this.#tooLarge;
  }

  /** What is in the box, as text where it was pasted; a long file is not. */
  get text(): string | null {
    const held = this.#long?.content ?? this.#text;
    return typeof held === 'string' ? held : null;
  }

  async content(): Promise<string | Uint8Array> {
    const held = this.#long?.content ?? this.#text;
    return typeof held === 'string' ? held : new Uint8Array(await held.arrayBuffer());
  }

  set(text: string, name = '') {
    if (text.length > LONG) {
      this.#hold('', { name, bytes: text.length, lines: linesOf(text), content: text });
    } else {
      this.#hold(text, null);
    }
  }

  #hold(text: string, long: Long | null, tooLarge: string | null = null) {
    this.version += 1;
    this.#text = text;
    this.#long = long;
    this.#tooLarge = tooLarge;
    this.changed();
  }

  async #take(file: File, { largest, asText }: Settings) {
    const { name, size: bytes } = file;
    if (bytes > largest) this.#hold('', null, name);
    else if (asText || bytes <= LONG) this.set(await file.text(), name);
    else this.#hold('', { name, bytes, lines: null, content: file });
  }

  #dropped = (settings: Settings) => (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    // The page would read it into the inputs.
    event.preventDefault();
    void this.#take(file, settings);
  };

  #pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (text.length <= LONG) return;
    event.preventDefault();
    this.set(text);
  };

  #held(page: View, told: CommandsWords, long: Long, id: string) {
    const { locale } = page;
    const size = long.lines === null ? locale.size(long.bytes) : told.lines(locale, long.lines);
    return html`<p class="commands-held" id=${id} tabindex="-1">
      ${icon('down')} <span><b>${long.name || told.pastedText}</b>, ${size}</span>
      <button type="button" class="link" @click=${() => this.set('')}>${told.remove}</button>
    </p>`;
  }

  view(page: View, told: CommandsWords, settings: Settings) {
    const { id, label, hint, placeholder, accept } = settings;
    const clear =
      this.#text === ''
        ? nothing
        : html`<button type="button" class="link commands-clear" @click=${() => this.set('')}>${told.clear}</button>`;
    return html`<div class="commands-box" @drop=${this.#dropped(settings)}>
      ${
        this.#long
          ? html`<p>${label}</p>
            ${this.#held(page, told, this.#long, id)}`
          : html`<label for=${id}>${label}</label>
            <textarea
              id=${id}
              rows="6"
              spellcheck="false"
              autocomplete="off"
              autocapitalize="off"
              placeholder=${placeholder}
              aria-describedby="${id}-hint"
              .value=${live(this.#text)}
              @paste=${this.#pasted}
              @input=${(event: Event) => this.set((event.target as HTMLTextAreaElement).value)}
            ></textarea>`
      }
      <p class="hint" id="${id}-hint">
        ${hint}
        <label class="file"
          >${told.chooseFile}<input
            type="file"
            accept=${accept}
            @change=${(event: Event) => {
              const input = event.target as HTMLInputElement;
              const file = input.files?.[0];
              if (file) void this.#take(file, settings);
              input.value = '';
            }} /></label
        > ${clear}
      </p>
    </div>`;
  }
}
