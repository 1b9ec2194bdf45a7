/**
 * Reads claims from the session token. The app does not verify the signature: the claims only decide whose screen to show
 * and until when, and the server authorises every call.
 */
import { roles, userStatuses } from '#domain/staff/roles.ts';
import type { UserClaims } from '#domain/staff/roles.ts';

export interface TokenClaims {
  user: UserClaims;
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

/** Returns the claims of a token; null if it can't be decoded or lacks a claim. */
export function readToken(token: string): TokenClaims | null {
  try {
    const json = new TextDecoder().decode(fromBase64Url(token.split('.')[1]!));
    const { id, name, email, phone, role, status, created_at, updated_at, exp } = JSON.parse(json) as TokenPayload;
    const isWhole =
      Number.isInteger(id) &&
      typeof exp === 'number' &&
      [name, email, created_at, updated_at].every((text) => typeof text === 'string') &&
      (phone === null || typeof phone === 'string') &&
      roles.includes(role) &&
      userStatuses.includes(status);
    return isWhole ? { user: { id, name, email, phone, role, status, created_at, updated_at }, exp } : null;
  } catch {
    return null;
  }
}

type TokenPayload = UserClaims & Pick<TokenClaims, 'exp'>;

export const isCurrent = ({ exp }: Pick<TokenClaims, 'exp'>, nowMs: number): boolean => exp * 1000 > nowMs;
