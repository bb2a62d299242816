import { html } from 'lit-html';
import type { Locale } from '../../locale';
import { icon } from '../../parts';
import type { Problem } from '../../types';
import type { MapWords } from './words';

/** Nothing to show yet, or nothing to show. */
export function state(own: MapWords, problem: Problem | null, locale: Locale) {
  return problem
    ? html`<p class="map-state" role="alert">
        ${icon('warn')} <span>${problem.code === 'planner_unavailable' ? locale.words.app.plannerFailed : html`${own.failed} ${locale.core(problem.message)}`}</span>
      </p>`
    : html`<p class="map-state">${icon('wait')} <span>${own.waiting}</span></p>`;
}
