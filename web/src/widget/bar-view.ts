import { html } from 'lit-html';
import type { Answer } from '../session';
import { memoryPicture } from '../views/memory';
import type { Show } from './view';

/** The memory of one card, as on the page; its headings belong to the page around here. */
export const barView = ({ locale }: Show, answer: Answer) =>
  html`<div class="memory" part="bar">${memoryPicture(locale, answer)}</div>`;
