import { keptFetched, keptWeights } from '../browser';
import { preferredLang } from '../reader-language';
import { example } from '../state';
import { keptTheme, showTheme } from '../theme';
import { fetchFirstCore } from './core';
import { showFirstPage } from './shown';

// Runs before anything is painted. The page in the HTML is that of the example in English, and is
// shown to those alone who would get just that.

const query = new URLSearchParams(location.search);
const link = new URLSearchParams(location.hash.slice(1));
const engine = (link.has('v') && link.get('e')) || example.engine;
// The build writes beside the script where the cores of the engines are.
const address = document.currentScript?.dataset[engine];
if (address) fetchFirstCore(engine, address);

showTheme(keptTheme());
const other = link.has('v') || query.has('accuracy');
const held = () => keptFetched().length > 0 || keptWeights(example) !== null;
if (!other && preferredLang() === 'en' && !held()) showFirstPage();
