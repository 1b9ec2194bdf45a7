/** The codes of devices in SQL (SYNC-12). */
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { series } from '#domain/order/numbers.ts';
import type { Series } from '#domain/order/numbers.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/**
 * Returns the clinic's taxpayer, and keeps the settings as they are until the transaction ends: a code is granted either
 * before they change, and then retired with the others, or by the new ones.
 */
export async function lockTaxpayer(sql: Sql, clinicId: number): Promise<string | null> {
  const [row] = await rowsOf<{ data: Partial<ClinicSettings> }>(
    sql,
    'lock taxpayer',
    'select data from settings where clinic_id = $1 for share',
    [clinicId],
  );
  return taxpayerOf({ ...defaultSettings, ...row?.data });
}

/** Counts a code of the clinic, and locks the clinic's row until the transaction ends. Returns the place in its sequence, from 0. */
export async function countClinicCode(sql: Sql, clinicId: number): Promise<number> {
  const [clinic] = await rowsOf<{ granted: number }>(
    sql,
    'next device code',
    'update clinics set next_device = next_device + 1 where id = $1 returning next_device as granted',
    [clinicId],
  );
  return clinic!.granted - 1;
}

/**
 * Counts a code of a taxpayer over all clinics, and locks the sequence until the transaction ends.
 *
 * @param drawn the prefix of a sequence that has none
 */
export async function countTaxpayerCode(
  sql: Sql,
  taxId: string,
  drawn: string,
): Promise<{ prefix: string; place: number }> {
  const [row] = await rowsOf<{ prefix: string; place: number }>(
    sql,
    'next taxpayer code',
    `insert into taxpayer_codes as t (tax_id, prefix, granted) values ($1, $2, 1)
     on conflict (tax_id) do update set granted = t.granted + 1, prefix = coalesce(t.prefix, excluded.prefix)
     returning prefix, granted - 1 as place`,
    [taxId, drawn],
  );
  return row!;
}

/** Makes the next grant draw another prefix. */
export async function dropPrefix(sql: Sql, taxId: string): Promise<void> {
  await sql.query({
    name: 'drop code prefix',
    text: 'update taxpayer_codes set prefix = null where tax_id = $1',
    values: [taxId],
  });
}

export async function isGranted(sql: Sql, clinicId: number, code: string): Promise<boolean> {
  const rows = await rowsOf(sql, 'is code granted', 'select 1 from device_codes where clinic_id = $1 and code = $2', [
    clinicId,
    code,
  ]);
  return rows.length > 0;
}

export interface NewCode {
  clinicId: number;
  code: string;
  taxId: string | null;
  deviceId: number;
  grantedAtMs: number;
}

export async function insertCode(sql: Sql, { clinicId, code, taxId, deviceId, grantedAtMs }: NewCode): Promise<void> {
  await sql.query({
    name: 'insert device code',
    text: 'insert into device_codes (clinic_id, code, tax_id, device_id, granted_at) values ($1, $2, $3, $4, $5)',
    values: [clinicId, code, taxId, deviceId, isoOf(grantedAtMs)],
  });
}

/** A code, and the highest number of each series seen under it. */
export interface CodeRow {
  code: string;
  /** The taxpayer among all of whose clinics it is unique. */
  taxId: string | null;
  counters: Record<Series, number>;
}

/** Takes codes out of use. Their devices get others at the next contact. */
export async function retireCodes(
  sql: Sql,
  clinicId: number,
  { codes, atMs }: { codes: readonly { code: string; deviceId: number }[]; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'retire codes',
    text: `update device_codes d set retired_at = $3 from json_to_recordset($2::json) as r(code text, "deviceId" int)
           where d.clinic_id = $1 and d.code = r.code and d.device_id = r."deviceId" and d.retired_at is null`,
    values: [clinicId, JSON.stringify(codes), isoOf(atMs)],
  });
}

/** Returns one of the device's codes; undefined for a code that the device was never granted or that is retired. */
export async function countedUnder(
  sql: Sql,
  clinicId: number,
  { deviceId, code }: { deviceId: number; code: string },
): Promise<CodeRow | undefined> {
  const [row] = await rowsOf<CodeRow>(
    sql,
    'device code',
    `select code, tax_id as "taxId", json_build_object(${series.map((of) => `'${of}', ${of}`).join(', ')}) as counters from device_codes
     where clinic_id = $1 and code = $2 and device_id = $3 and retired_at is null`,
    [clinicId, code, deviceId],
  );
  return row;
}

/** Takes all codes of a clinic's devices out of use that are not of this taxpayer. The server's own stay for late requests. */
export async function retireCodesOfOthers(
  sql: Sql,
  clinicId: number,
  { taxId, atMs }: { taxId: string | null; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'retire codes of others',
    text: `update device_codes set retired_at = $3 where clinic_id = $1 and tax_id is distinct from $2
             and retired_at is null and code not like '%0'`,
    values: [clinicId, taxId, isoOf(atMs)],
  });
}

/** Takes all codes of a clinic under this taxpayer out of use, the server's too. */
export async function retireCodesOf(
  sql: Sql,
  clinicId: number,
  { taxId, atMs }: { taxId: string; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'retire codes of taxpayer',
    text: 'update device_codes set retired_at = $3 where clinic_id = $1 and tax_id = $2 and retired_at is null',
    values: [clinicId, taxId, isoOf(atMs)],
  });
}

/** Returns the id of the server's own device. */
export async function serverDeviceId(sql: Sql, clinicId: number): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    sql,
    'own device',
    'select id from devices where clinic_id = $1 and key_hash is null',
    [clinicId],
  );
  return row!.id;
}

/** Returns the code under which the server numbers documents of a taxpayer; undefined before its first one. */
export async function serverCodeFor(sql: Sql, clinicId: number, taxId: string | null): Promise<string | undefined> {
  const [row] = await rowsOf<{ code: string }>(
    sql,
    'code of server',
    `select code from device_codes where clinic_id = $1 and code like '%0' and tax_id is not distinct from $2
       and retired_at is null order by granted_at desc, code limit 1`,
    [clinicId, taxId],
  );
  return row?.code;
}

/** Counts a document of the server's own. The row stays locked until the commit, so no number is skipped or shared. */
export async function countServerDocument(
  sql: Sql,
  clinicId: number,
  { code, of }: { code: string; of: Series },
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    `next ${of}`,
    `update device_codes set ${of} = ${of} + 1 where clinic_id = $1 and code = $2 returning ${of} as count`,
    [clinicId, code],
  );
  return row!.count;
}
