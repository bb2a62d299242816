/**
 * A verdict as a small picture, to be kept as a file beside a README or a model card.
 *
 * @packageDocumentation
 */

import type { ErrorReport, Report, Request } from './ridgepoint.d.ts';

/** `yes`: it serves. `mid`: it serves, and fewer requests than asked for. `unknown`: no answer. */
export type BadgeTone = 'yes' | 'mid' | 'no' | 'unknown';

/** `flat` has round corners, `square` has none. */
export type BadgeLook = 'flat' | 'square';

/** What a badge says. */
export interface BadgeText {
  /** The left part; empty for none. */
  label: string;
  /** The right part. */
  message: string;
  /** Its colour. */
  tone: BadgeTone;
  /** All of it in a sentence, for a screen reader and on hover. */
  title: string;
}

/** The looks that there are. */
export declare const BADGE_LOOKS: BadgeLook[];

/** What a badge says about an answer. */
export declare function badgeText(
  answer: Report | ErrorReport,
  request: Request,
  label?: string,
): BadgeText;

/** The SVG file: self-contained, with a title and a role. */
export declare function badgeSvg(text: BadgeText, look?: BadgeLook): string;

/** The width of a text in pixels at the size of a badge. */
export declare function textWidth(text: string): number;
