/** Passkeys in SQL. */
import { isoOf } from '#domain/instant.ts';
import { latestAt } from '#server/clocks.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { userJson } from './store.ts';
import type { UserRow } from './store.ts';

export interface NewPasskey {
  clinicId: number;
  userId: number;
  credentialId: Buffer;
  publicKey: Buffer;
  origin: string;
  signatures: number;
  challengedAtMs: number;
}

/** A person's latest passkeys are kept. */
const mostOfOne = 10;

/** @returns false if the clinic has a passkey with this id */
export async function insertPasskey(sql: Sql, passkey: NewPasskey): Promise<boolean> {
  const { clinicId, userId, credentialId, publicKey, origin, signatures, challengedAtMs } = passkey;
  const rows = await rowsOf(
    sql,
    'insert passkey',
    `insert into passkeys (clinic_id, user_id, credential_id, public_key, origin, signatures, challenged_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
    [clinicId, userId, credentialId, publicKey, origin, signatures, isoOf(challengedAtMs)],
  );
  await sql.query({
    name: 'forget old passkeys',
    text: `delete from passkeys where clinic_id = $1 and user_id = $2 and id not in
      (select id from passkeys where clinic_id = $1 and user_id = $2 order by id desc limit ${mostOfOne})`,
    values: [clinicId, userId],
  });
  return rows.length > 0;
}

export interface FoundPasskey {
  id: number;
  /** In base64. */
  publicKey: string;
  origin: string;
  user: UserRow;
}

/** Returns a passkey of a clinic with its user as stored now. */
export async function passkeyByCredential(
  sql: Sql,
  { clinicId, credentialId }: { clinicId: number; credentialId: Buffer },
): Promise<FoundPasskey | undefined> {
  const [row] = await rowsOf<{ passkey: FoundPasskey }>(
    sql,
    'passkey by credential',
    `select json_build_object('id', p.id, 'publicKey', encode(p.public_key, 'base64'), 'origin', p.origin, 'user', ${userJson}) as passkey
     from passkeys p join users u on u.clinic_id = p.clinic_id and u.id = p.user_id
     where p.clinic_id = $1 and p.credential_id = $2`,
    [clinicId, credentialId],
  );
  return row?.passkey;
}

/**
 * Notes an assertion, once: of several at the same moment one counts.
 *
 * @returns false if the passkey has answered this challenge or a later one, or the authenticator has counted back
 */
export async function useChallenge(
  sql: Sql,
  used: { clinicId: number; id: number; challengedAtMs: number; signatures: number; nowMs: number },
): Promise<boolean> {
  const { clinicId, id, challengedAtMs, signatures, nowMs } = used;
  const rows = await rowsOf(
    sql,
    'use passkey',
    `update passkeys set challenged_at = $3, signatures = $4 where clinic_id = $1 and id = $2 and (challenged_at < $3 or challenged_at > $5)
     and ($4 > signatures or ($4 = 0 and signatures = 0)) returning 1`,
    [clinicId, id, isoOf(challengedAtMs), signatures, latestAt(nowMs)],
  );
  return rows.length > 0;
}

/** Ends the passkeys of a person. */
export async function deletePasskeysOf(
  sql: Sql,
  { clinicId, userId }: { clinicId: number; userId: number },
): Promise<void> {
  await sql.query({
    name: 'end passkeys',
    text: 'delete from passkeys where clinic_id = $1 and user_id = $2',
    values: [clinicId, userId],
  });
}

/** Ends one passkey of a person. @returns false if that person has no such passkey */
export async function deletePasskey(
  sql: Sql,
  { clinicId, userId, credentialId }: { clinicId: number; userId: number; credentialId: Buffer },
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'end passkey',
    text: 'delete from passkeys where clinic_id = $1 and user_id = $2 and credential_id = $3',
    values: [clinicId, userId, credentialId],
  });
  return rowCount === 1;
}
