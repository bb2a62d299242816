import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

export interface Option {
  value: string;
  label: string;
  hint: string;
  group: string;
  /** More words to find it by. */
  search: string;
}

interface Settings {
  id: string;
  label: string;
  options: Option[];
  /** What is chosen: an option's value, or the text the reader left in the box. */
  value: string;
  invalid: boolean;
  describedBy: string;
  /** What to say when nothing matches; without it any text is as good as a choice. */
  none?: string;
  placeholder?: string;
  /** Each change of the text is a choice of its own; the list only suggests. */
  free?: boolean;
  paste?: (event: ClipboardEvent) => void;
  choose: (value: string) => void;
}

const fold = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '');

/**
 * A list to search and choose from, after the ARIA combobox pattern: the focus stays in the box, the
 * arrow keys move the marked option, Enter takes it, Escape closes and restores.
 */
export class Combobox {
  #open = false;
  #query: string | null = null;
  #active = 0;

  constructor(private readonly changed: () => void) {}

  #matches(options: Option[]): Option[] {
    if (this.#query === null) return options;
    const wanted = fold(this.#query);
    return options.filter(({ label, value, search }) =>
      fold(`${label} ${value} ${search}`).includes(wanted),
    );
  }

  /** Where the best match is: the one of that very name or alias, else one that starts so. */
  #best(options: Option[], query: string): number {
    const wanted = fold(query);
    const names = options.map(({ value, label, search }) =>
      [value, label, ...search.split(' ')].map(fold),
    );
    const same = names.findIndex((all) => all.includes(wanted));
    if (same >= 0) return same;
    return Math.max(
      names.findIndex((all) => all.some((name) => name.startsWith(wanted))),
      0,
    );
  }

  #type(query: string, { options, free, choose }: Settings) {
    this.#query = query;
    if (!free) {
      this.#set(true, query, this.#best(this.#matches(options), query));
      return;
    }
    choose(query);
    this.#set(query.trim() !== '' && !options.some(({ value }) => value === query), query, -1);
  }

  /** Where the marked option moves; from no option at all the first step takes the chosen or the outermost. */
  #step(step: number, length: number, chosen: number): number {
    if (length === 0) return -1;
    if (this.#active < 0) return chosen >= 0 ? chosen : step > 0 ? 0 : length - 1;
    return (this.#active + step + length) % length;
  }

  #set(open: boolean, query: string | null, active: number) {
    this.#open = open;
    this.#query = query;
    this.#active = active;
    this.changed();
  }

  #commit({ options, choose }: Settings, value: string) {
    this.#open = false;
    this.#query = null;
    const typed = fold(value);
    const known = options.find(
      (option) => fold(option.value) === typed || fold(option.label) === typed,
    );
    choose(known?.value ?? value);
  }

  #key(event: KeyboardEvent, settings: Settings) {
    const shown = this.#matches(settings.options);
    const { value } = settings;
    const chosen = shown.findIndex((option) => option.value === value);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (!this.#open) this.#set(true, this.#query, Math.max(chosen, 0));
      else this.#set(true, this.#query, this.#step(step, shown.length, chosen));
      document
        .getElementById(`${settings.id}-option-${this.#active}`)
        ?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && settings.free && this.#active < 0) {
      // The text itself is meant, and the form it stands in takes it.
      if (this.#open) this.#set(false, null, 0);
    } else if (event.key === 'Enter' && this.#open) {
      event.preventDefault();
      const option = shown[this.#active];
      this.#commit(settings, option ? option.value : (this.#query ?? value));
    } else if (event.key === 'Escape' && this.#open) {
      event.preventDefault();
      this.#set(false, null, 0);
    }
  }

  #list(shown: Option[], settings: Settings): TemplateResult {
    const groups = [...new Set(shown.map((option) => option.group))];
    const row = (option: Option) => {
      const index = shown.indexOf(option);
      return html`<div
        role="option"
        id="${settings.id}-option-${index}"
        class="option"
        aria-selected=${option.value === settings.value ? 'true' : 'false'}
        ?data-active=${index === this.#active}
        @pointerdown=${(event: Event) => {
          event.preventDefault();
          this.#commit(settings, option.value);
        }}
      >
        <span>${option.label}</span> <span class="hint">${option.hint}</span>
      </div>`;
    };
    return html`<div role="listbox" id="${settings.id}-list" class="options" aria-label=${settings.label}>
      ${groups.map(
        (group) => html`<div role="group" aria-labelledby="${settings.id}-group-${group}">
          <div class="group" role="presentation" id="${settings.id}-group-${group}">${group}</div>
          ${shown.filter((option) => option.group === group).map(row)}
        </div>`,
      )}
    </div>`;
  }

  view(settings: Settings): TemplateResult {
    const { id, value, options } = settings;
    const shown = this.#matches(options);
    const named = settings.free ? undefined : options.find((option) => option.value === value);
    const label = named?.label ?? value;
    return html`<div class="combobox">
      <input
        id=${id}
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${settings.placeholder ?? nothing}
        aria-autocomplete="list"
        aria-expanded=${this.#open ? 'true' : 'false'}
        aria-controls=${this.#open && shown.length > 0 ? `${id}-list` : nothing}
        aria-activedescendant=${this.#open && shown.length > 0 && this.#active >= 0 ? `${id}-option-${this.#active}` : nothing}
        aria-invalid=${settings.invalid ? 'true' : nothing}
        aria-describedby=${settings.describedBy || nothing}
        .value=${live(this.#query ?? label)}
        @input=${(event: Event) => this.#type((event.target as HTMLInputElement).value, settings)}
        @click=${() => !this.#open && this.#set(true, null, 0)}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        @paste=${settings.paste ?? nothing}
        @keydown=${(event: KeyboardEvent) => this.#key(event, settings)}
        @blur=${() => {
          if (settings.free) this.#set(false, null, 0);
          else if (this.#query !== null && this.#query.trim() !== '')
            this.#commit(settings, this.#query);
          else if (this.#open) this.#set(false, null, 0);
        }}
      />
      ${this.#open && shown.length > 0 ? this.#list(shown, settings) : nothing}
      ${this.#open && shown.length === 0 && settings.none ? html`<p class="options hint">${settings.none}</p>` : nothing}
    </div>`;
  }
}
