import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { UserClaims } from '../../../domain/staff/roles.ts';

const algorithm = 'HS256';
const audience = 'dental-counter';

/** What the server itself reads from a token; the rest is for the app to show, and is looked up afresh here. */
export interface TokenSubject {
  clinicId: number;
  jti: string;
}

const subjectSchema = z
  .object({ cid: z.int32().positive(), jti: z.uuid() })
  .transform(({ cid, jti }): TokenSubject => ({ clinicId: cid, jti }));

export function signToken(
  secret: Uint8Array,
  { claims, subject, issuedAtMs, expiresAtMs }: { claims: UserClaims; subject: TokenSubject; issuedAtMs: number; expiresAtMs: number },
): Promise<string> {
  return new SignJWT({ ...claims, cid: subject.clinicId })
    .setProtectedHeader({ alg: algorithm })
    .setJti(subject.jti)
    .setAudience(audience)
    .setIssuedAt(Math.floor(issuedAtMs / 1000))
    .setExpirationTime(Math.floor(expiresAtMs / 1000))
    .sign(secret);
}

/** Whose token this is; null when it is not ours, not for us, or expired. */
export async function verifyToken(secret: Uint8Array, token: string, nowMs: number): Promise<TokenSubject | null> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(nowMs),
    });
    return subjectSchema.parse(payload);
  } catch {
    return null;
  }
}
