/**
 * Reads claims from the session token. The app does not verify the signature: the claims only decide what to show, and
 * the server authorises every call.
 */
import { roles } from '../../domain/staff/roles.ts';
import type { UserClaims } from '../../domain/staff/roles.ts';

export interface TokenClaims {
  user: UserClaims;
  /** Seconds since 1970. */
  exp: number;
}

export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.codePointAt(0)!);

/** Returns the claims of a token; null if it can't be decoded or lacks a required claim. */
export function readToken(token: string): TokenClaims | null {
  try {
    const json = new TextDecoder().decode(fromBase64Url(token.split('.')[1]!));
    const claims = JSON.parse(json) as UserClaims & { exp: number };
    if (typeof claims.exp !== 'number' || !Number.isInteger(claims.id) || !roles.includes(claims.role)) return null;
    const { id, name, email, phone, role, status, created_at, updated_at, exp } = claims;
    return { user: { id, name, email, phone, role, status, created_at, updated_at }, exp };
  } catch {
    return null;
  }
}

export const isCurrent = ({ exp }: TokenClaims, nowMs: number): boolean => exp * 1000 > nowMs;
