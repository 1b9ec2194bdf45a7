/**
 * Reads claims from the session token. The app does not verify the signature: the claims only decide whose screen to show
 * and until when, and the server authorises every call.
 */
export interface TokenClaims {
  userId: number;
  /** Seconds since 1970. */
  exp: number;
}

export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.codePointAt(0)!);

export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCodePoint(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns a token without its signature: it says who is here and until when, and opens nothing. */
export const withoutSignature = (token: string): string => token.slice(0, token.lastIndexOf('.') + 1);

export const isSigned = (token: string): boolean => !token.endsWith('.');

/** Returns the claims of a token; null if it can't be decoded or lacks a required claim. */
export function readToken(token: string): TokenClaims | null {
  try {
    const json = new TextDecoder().decode(fromBase64Url(token.split('.')[1]!));
    const { id, exp } = JSON.parse(json) as { id: number; exp: number };
    return Number.isInteger(id) && typeof exp === 'number' ? { userId: id, exp } : null;
  } catch {
    return null;
  }
}

export const isCurrent = ({ exp }: TokenClaims, nowMs: number): boolean => exp * 1000 > nowMs;
