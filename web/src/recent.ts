// Setups the reader looked at, in this browser alone.

const KEY = 'ridgepoint.recent';
const LONGEST_LIST = 12;

export interface Recent {
  hash: string;
  label: string;
}

export function recents(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (one): one is Recent => typeof one?.hash === 'string' && typeof one?.label === 'string',
    );
  } catch {
    return [];
  }
}

function write(list: Recent[]): void {
  try {
    if (list.length > 0) localStorage.setItem(KEY, JSON.stringify(list));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be full or switched off; nothing is lost but the list.
  }
}

/** The newest first, and each setup once: what differs in its label is another setup. */
export function addRecent(one: Recent): Recent[] {
  const list = [one, ...recents().filter(({ label }) => label !== one.label)];
  write(list.slice(0, LONGEST_LIST));
  return recents();
}

export function clearRecents(): Recent[] {
  write([]);
  return [];
}
