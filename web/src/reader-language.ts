import { type Lang, languages } from './format';

// Which language the reader sees.

const KEY = 'ridgepoint.lang';

/** What the reader chose before, else the first of the browser's languages that there is. */
export function preferredLang(): Lang {
  const kept = storedLang();
  if (kept) return kept;
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const found = languages.find((lang) => wanted.toLowerCase().startsWith(lang));
    if (found) return found;
  }
  return 'en';
}

function storedLang(): Lang | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return languages.find((lang) => lang === kept);
  } catch {
    return undefined;
  }
}

export function keepLang(lang: Lang): void {
  try {
    localStorage.setItem(KEY, lang);
  } catch {
    // Storage can be switched off; the choice then lives as long as the page.
  }
}
