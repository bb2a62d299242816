import { render } from 'lit-html';
import { Place } from '../charts/place';
import { type Lang, type Locale, loadLocale, loadWholeLocale } from '../locale';
import type { Planner } from '../planner';
import { keepLang } from '../reader-language';
import { keepTheme, keptTheme } from '../theme';
import type { Theme } from '../views/context';
import { type Filter, filterOf, filterToHash } from './filter';
import { linkOf } from './link';
import type { Row } from './rows';
import { Sender } from './sender';
import { asksForSpeed } from './speed/filter';
import type { SpeedPart } from './speed/part';
import { app } from './views/app';
import { words } from './words';
import { begun, type Work, workOut } from './work';

const DRAW_EVERY_MS = 120;

/** What the templates show, and what they can ask for. */
export interface AccuracyView {
  locale: Locale;
  theme: Theme;
  work: Work;
  working: boolean;
  filter: Filter;
  /** Where a row opens in the calculator. */
  links: Map<string, string>;
  places: Record<'ours' | 'naive' | 'original', Place>;
  sender: Sender;
  /** Folded parts that were opened, and so are worth drawing. */
  opened: Set<string>;
  /** The speeds instead of the memory; null until they are loaded. */
  speed: { part: SpeedPart | null; failure: string } | null;
  actions: {
    filter(change: Partial<Filter>): void;
    setLang(lang: Lang): void;
    setTheme(theme: Theme): void;
    open(part: string): void;
  };
}

export class AccuracyPage {
  #filter = filterOf(location.hash);
  #theme = keptTheme();
  #working = true;
  #begun = false;
  #speed: SpeedPart | null = null;
  #speedAsked = false;
  #speedFailure = '';
  #waiting = false;
  readonly #work: Work;
  readonly #links = new Map<string, string>();
  readonly #opened = new Set<string>();
  readonly #places: AccuracyView['places'];
  readonly #sender: Sender;

  constructor(
    private readonly root: HTMLElement,
    private readonly planner: Planner,
    private locale: Locale,
    rows: Row[],
  ) {
    this.#work = begun(rows);
    const place = () => new Place(this.redraw);
    this.#places = { ours: place(), naive: place(), original: place() };
    this.#sender = new Sender(planner, this.redraw);
    window.addEventListener('hashchange', () => {
      this.#turn();
    });
  }

  start() {
    this.#turn();
    void this.#speakWholly();
  }

  /** To the part that the address names; each begins its work when it is first looked at. */
  #turn() {
    const { hash } = location;
    if (asksForSpeed(hash)) {
      this.#speed?.follow(hash);
      if (!this.#speedAsked) void this.#loadSpeed();
    } else {
      this.#filter = filterOf(hash);
      if (!this.#begun) this.#begin();
    }
    this.redraw();
  }

  async #loadSpeed() {
    this.#speedAsked = true;
    try {
      const { SpeedPart } = await import('./speed/part');
      this.#speed = await SpeedPart.load(this.redraw);
    } catch (error) {
      // Asked again when the reader comes back to it.
      this.#speedAsked = false;
      this.#speedFailure = error instanceof Error ? error.message : String(error);
    }
    this.redraw();
  }

  #begin() {
    this.#begun = true;
    void this.#link();
    void workOut(this.#work, this.planner, this.#soon).then(() => {
      this.#working = false;
      this.redraw();
    });
  }

  async #link() {
    for (const { id, request } of this.#work.rows) {
      if (request) this.#links.set(id, await linkOf(request));
    }
    this.redraw();
  }

  /** Many rows are done between two pictures. */
  readonly #soon = () => {
    if (this.#waiting) return;
    this.#waiting = true;
    setTimeout(() => {
      this.#waiting = false;
      this.redraw();
    }, DRAW_EVERY_MS);
  };

  readonly redraw = () => {
    document.title = `ridgepoint: ${this.locale.pick(words).title}`;
    const view: AccuracyView = {
      locale: this.locale,
      theme: this.#theme,
      work: this.#work,
      working: this.#working,
      filter: this.#filter,
      links: this.#links,
      places: this.#places,
      sender: this.#sender,
      opened: this.#opened,
      speed: asksForSpeed(location.hash)
        ? { part: this.#speed, failure: this.#speedFailure }
        : null,
      actions: {
        filter: this.#choose,
        setLang: (lang) => void this.#speak(lang),
        setTheme: this.#look,
        open: (part) => {
          this.#opened.add(part);
          this.redraw();
        },
      },
    };
    render(app(view), this.root);
  };

  readonly #choose = (change: Partial<Filter>) => {
    this.#filter = { ...this.#filter, ...change };
    history.replaceState(null, '', filterToHash(this.#filter) || location.pathname);
    this.redraw();
  };

  readonly #look = (theme: Theme) => {
    this.#theme = theme;
    keepTheme(theme);
    this.redraw();
  };

  async #speak(lang: Lang) {
    this.locale = await loadLocale(lang);
    keepLang(lang);
    document.documentElement.lang = lang;
    this.redraw();
    await this.#speakWholly();
  }

  /** What the core says of a log or a row comes after the page's own words. */
  async #speakWholly() {
    const { lang } = this.locale;
    if (lang === 'en') return;
    const whole = await loadWholeLocale(lang);
    if (this.locale.lang !== lang) return;
    this.locale = whole;
    this.redraw();
  }
}
