/** The cookie that holds the token. The server never reads it, so it needs no CSRF protection. */
const name = 'pos_token';

/** Longer than the token is valid, so that a reload can tell an expired session from none. */
const maxAgeSeconds = 7 * 24 * 60 * 60;

const attributes = () => `Path=/; SameSite=Strict${location.protocol === 'https:' ? '; Secure' : ''}`;

export function readCookie(): string | null {
  const entry = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`));
  return entry ? entry.slice(name.length + 1) : null;
}

export function writeCookie(token: string): void {
  document.cookie = `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes()}`;
}

export function clearCookie(): void {
  document.cookie = `${name}=; Max-Age=0; ${attributes()}`;
}
