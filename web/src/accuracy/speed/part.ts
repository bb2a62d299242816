import { Place } from '../../charts/place';
import type { Locale } from '../../locale';
import { loadSpeed, type Speed } from './facts';
import {
  chosenSpeeds,
  everySpeed,
  type SpeedFilter,
  sortedSpeeds,
  speedFilterOf,
  speedToHash,
} from './filter';
import type { Point } from './packed';
import { speedSection } from './views/section';

/** Rows of the list, and of the table behind the picture, that are added at a time. */
export const PAGE = 100;

/** What the templates show, and what they can ask for. */
export interface SpeedView {
  locale: Locale;
  speed: Speed;
  filter: SpeedFilter;
  /** As chosen: by what was measured for the picture, and in the reader's order. */
  rising: Point[];
  sorted: Point[];
  shown: number;
  place: Place;
  choose(change: Partial<SpeedFilter>): void;
  more(): void;
}

/** The speeds of the accuracy page, which nobody loads who does not look at them. */
export class SpeedPart {
  #filter = everySpeed;
  #rising: Point[] = [];
  #sorted: Point[] = [];
  #shown = PAGE;
  readonly #place: Place;

  static async load(redraw: () => void) {
    return new SpeedPart(await loadSpeed(), redraw);
  }

  private constructor(
    private readonly speed: Speed,
    private readonly redraw: () => void,
  ) {
    this.#place = new Place(redraw);
    this.follow(location.hash);
  }

  follow(hash: string) {
    this.#take(speedFilterOf(hash));
  }

  #take(filter: SpeedFilter) {
    this.#filter = filter;
    const chosen = chosenSpeeds(this.speed.points, filter);
    // The picture keeps its points while only the order of the list changes.
    const same =
      chosen.length === this.#rising.length &&
      new Set([...chosen, ...this.#rising]).size === chosen.length;
    if (!same) {
      this.#rising = sortedSpeeds(chosen, { ...filter, order: 'measured', falling: false });
      this.#place.reading = null;
    }
    this.#sorted = sortedSpeeds(chosen, filter);
    this.#shown = PAGE;
  }

  readonly section = (locale: Locale) =>
    speedSection({
      locale,
      speed: this.speed,
      filter: this.#filter,
      rising: this.#rising,
      sorted: this.#sorted,
      shown: this.#shown,
      place: this.#place,
      choose: (change) => {
        this.#take({ ...this.#filter, ...change });
        history.replaceState(null, '', speedToHash(this.#filter));
        this.redraw();
      },
      more: () => {
        this.#shown += PAGE;
        this.redraw();
      },
    });
}
