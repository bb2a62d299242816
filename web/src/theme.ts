import { type Theme, themes } from './views/context';

// How the page looks: as the system says, or as the reader chose.

const KEY = 'ridgepoint.theme';

export function keptTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function keepTheme(theme: Theme): void {
  showTheme(theme);
  try {
    if (theme === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage can be switched off; the choice then lives as long as the page.
  }
}
