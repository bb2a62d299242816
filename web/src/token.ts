// An access token belongs to the one hub it was typed for: a link that names another hub address
// must not get it. It lives in memory unless the reader asks to keep it.

const KEY = 'ridgepoint.tokens';
const memory = new Map<string, string>();

export function originOf(hub: string): string {
  try {
    return new URL(hub).origin;
  } catch {
    return '';
  }
}

function kept(): Record<string, string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return value && typeof value === 'object' ? (value as Record<string, string>) : {};
  } catch {
    return {};
  }
}

function write(tokens: Record<string, string>): void {
  try {
    if (Object.keys(tokens).length > 0) localStorage.setItem(KEY, JSON.stringify(tokens));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage can be switched off; the token then lives as long as the page.
  }
}

export const tokenFor = (hub: string) => memory.get(originOf(hub)) ?? kept()[originOf(hub)] ?? '';
export const isKept = (hub: string) => originOf(hub) in kept();

export function setToken(hub: string, token: string): void {
  const origin = originOf(hub);
  memory.set(origin, token);
  if (origin in kept()) write({ ...kept(), [origin]: token });
}

export function keepToken(hub: string, keep: boolean): void {
  const origin = originOf(hub);
  const { [origin]: stored = '', ...others } = kept();
  if (!memory.has(origin)) memory.set(origin, stored);
  write(keep ? { ...others, [origin]: memory.get(origin) ?? '' } : others);
}
