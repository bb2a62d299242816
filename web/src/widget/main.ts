import { RidgepointCalculator } from './element';
import { startFrame } from './frame';

// A page may take the script twice, from two places or in two versions: the first one counts.
if (!customElements.get('ridgepoint-calculator')) {
  customElements.define('ridgepoint-calculator', RidgepointCalculator);
}

// embed.html is a page with nothing but this script and one calculator.
if (document.currentScript?.hasAttribute('data-frame')) startFrame();
