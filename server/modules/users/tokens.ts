import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { UserClaims } from '#domain/staff/roles.ts';
import { sessionScopes } from '#server/context.ts';
import type { SessionScope } from '#server/context.ts';

const algorithm = 'HS256';
const audience = 'dental-counter';

/** The part of a token that the server reads. Who its person is and what they may do, it reads from the database. */
export interface TokenSubject {
  clinicId: number;
  jti: string;
  scope: SessionScope;
  /** The unlock with which a page token begins and ends. */
  unlockId?: string | undefined;
}

const subjectSchema = z
  .object({ cid: z.int32().positive(), jti: z.uuid(), scope: z.enum(sessionScopes), unlock: z.uuid().optional() })
  .transform(({ cid, jti, scope, unlock }): TokenSubject => ({ clinicId: cid, jti, scope, unlockId: unlock }));

/** @param user whom the app shows; absent in a token that lies on a locked tablet */
export function signToken(
  secret: Uint8Array,
  {
    user,
    subject,
    issuedAtMs,
    expiresAtMs,
  }: { user?: UserClaims; subject: TokenSubject; issuedAtMs: number; expiresAtMs: number },
): Promise<string> {
  const { clinicId, scope, unlockId } = subject;
  return new SignJWT({ ...user, cid: clinicId, scope, ...(unlockId && { unlock: unlockId }) })
    .setProtectedHeader({ alg: algorithm })
    .setJti(subject.jti)
    .setAudience(audience)
    .setIssuedAt(Math.floor(issuedAtMs / 1000))
    .setExpirationTime(Math.floor(expiresAtMs / 1000))
    .sign(secret);
}

interface Verified {
  subject: TokenSubject;
  expiresAtMs: number;
}

/** Verified tokens by secret: tablets send the same token with every request, and a verified signature stays valid. */
const verified = new WeakMap<Uint8Array, Map<string, Verified>>();
const mostRemembered = 10_000;

/** Returns the subject of a valid token; null when the signature or the audience is wrong, or the token has expired. */
export async function verifyToken(secret: Uint8Array, token: string, nowMs: number): Promise<TokenSubject | null> {
  const remembered = verified.get(secret) ?? new Map<string, Verified>();
  verified.set(secret, remembered);
  const found = remembered.get(token) ?? (await verify(secret, token, nowMs));
  if (!found || found.expiresAtMs <= nowMs) return null;
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(token, found);
  return found.subject;
}

async function verify(secret: Uint8Array, token: string, nowMs: number): Promise<Verified | null> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(nowMs),
    });
    return { subject: subjectSchema.parse(payload), expiresAtMs: payload.exp! * 1000 };
  } catch {
    return null;
  }
}
