/** The context of requests and writes: the person, the device and the time. */
import { randomBytes } from 'node:crypto';
import { uuidV7 } from '#domain/uuid.ts';
import type { Role, UserClaims } from '#domain/staff/roles.ts';
import type { Sql } from './db/sql.ts';

/**
 * What a token reaches. `full` and `page` reach all routes; a page token only while its session is unlocked, and it begins
 * no unlock. `sync` reaches the routes of the sync engine.
 */
export const sessionScopes = ['full', 'page', 'sync'] as const;
export type SessionScope = (typeof sessionScopes)[number];

/** A signed-in person on a device, as the bearer token names them. */
export interface Session {
  clinicId: number;
  userId: number;
  role: Role;
  scope: SessionScope;
  jti: string;
  /** The number of the session, under which lists and proofs name it. */
  sessionId: number;
  /** Whether somebody uses the app of this session: it has begun an unlock, and not locked since. */
  isUnlocked: boolean;
  /** Null until the device has enrolled. */
  deviceId: number | null;
  user: UserClaims;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
  /** The clinic's epoch (SYNC-16). */
  epoch: string;
}

/** The author of a write, with device and time. */
export interface Author {
  clinicId: number;
  userId: number;
  deviceId: number | null;
  /** Milliseconds since 1970. */
  atMs: number;
  /** Returns a new UUIDv7. */
  newId: () => string;
}

/** A write over REST: its author, and the connection whose transaction the caller has opened. */
export interface WriteContext extends Author {
  sql: Sql;
  session: Session;
}

/** Returns a new UUIDv7 of this moment. */
export const newIdAt = (atMs: number): string => uuidV7(atMs, randomBytes(10));
