import { html } from 'lit-html';
import type { SpeedView } from '../part';
import { words } from '../words';
import { filterSection } from './filters';
import { honestSection, leftOutSection } from './left-out';
import { pictureSection } from './picture';
import { rowSection } from './row-table';
import { summarySection } from './summary';
import './speed.css';

export const speedSection = (view: SpeedView) => html`<div class="prose accuracy-intro">
      <p>${view.locale.pick(words).intro}</p>
    </div>
    ${summarySection(view)} ${honestSection(view)} ${filterSection(view)} ${pictureSection(view)}
    ${rowSection(view)} ${leftOutSection(view)}`;
