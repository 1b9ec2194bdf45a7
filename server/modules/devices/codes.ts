/**
 * Grants the codes under which documents are numbered (SYNC-12). Without a tax profile a code is unique in its clinic. With
 * one, no two documents of a taxpayer may bear one number, so its clinics share one sequence of codes, which begins with
 * random letters: other installations have others.
 */
import { randomInt } from 'node:crypto';
import { codePrefix, deviceCode, serverCode } from '#domain/device.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { formatNumber } from '#domain/order/numbers.ts';
import type { Series } from '#domain/order/numbers.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import { recordAudit } from '../audit/service.ts';
import {
  countClinicCode,
  countServerDocument,
  countTaxpayerCode,
  dropPrefix,
  insertCode,
  isGranted,
  lockTaxpayer,
  retireCodesOf,
  retireCodesOfOthers,
  serverCodeFor,
  serverDeviceId,
} from './codes-store.ts';

export interface Grant {
  code: string;
  taxId: string | null;
}

/** Returns a code for a device of the clinic that no device had before. */
export async function nextCode(sql: Sql, clinicId: number): Promise<Grant> {
  const taxId = await lockTaxpayer(sql, clinicId);
  if (taxId !== null) return { code: await taxpayerCode(sql, clinicId, taxId, deviceCode), taxId };
  return { code: deviceCode(await countClinicCode(sql, clinicId)), taxId };
}

async function taxpayerCode(
  sql: Sql,
  clinicId: number,
  taxId: string,
  codeOf: (place: number) => string,
): Promise<string> {
  for (;;) {
    const { prefix, place } = await countTaxpayerCode(sql, taxId, codePrefix(randomInt));
    const code = `${prefix}${codeOf(place)}`;
    // The clinic may have it already, from another taxpayer with the same letters.
    if (!(await isGranted(sql, clinicId, code))) return code;
  }
}

/** Returns the code under which the server numbers the documents of a taxpayer, and grants it before the first one. */
export async function serverCodeOf(
  sql: Sql,
  clinicId: number,
  { taxId, atMs }: { taxId: string | null; atMs: number },
): Promise<string> {
  const known = await serverCodeFor(sql, clinicId, taxId);
  if (known !== undefined || taxId === null) return known!;
  const code = await taxpayerCode(sql, clinicId, taxId, serverCode);
  // An earlier request may have granted one; the lock of the sequence made this one wait for it.
  const first = await serverCodeFor(sql, clinicId, taxId);
  if (first !== undefined) return first;
  const deviceId = await serverDeviceId(sql, clinicId);
  await insertCode(sql, { clinicId, code, taxId, deviceId, grantedAtMs: atMs });
  return code;
}

/** Returns the next number of the server's own series. */
export async function nextServerNumber(
  { sql, clinicId, atMs }: Pick<WriteContext, 'sql' | 'clinicId' | 'atMs'>,
  settings: ClinicSettings,
  of: Series,
): Promise<string> {
  const code = await serverCodeOf(sql, clinicId, { taxId: taxpayerOf(settings), atMs });
  return formatNumber(of, code, await countServerDocument(sql, clinicId, { code, of }));
}

/** Makes the devices ask for codes of the taxpayer that the clinic has from here on. The caller holds its settings. */
export const renewCodes = (
  sql: Sql,
  clinicId: number,
  { settings, atMs }: { settings: ClinicSettings; atMs: number },
): Promise<void> => retireCodesOfOthers(sql, clinicId, { taxId: taxpayerOf(settings), atMs });

/**
 * Draws other letters for the codes of the clinic's taxpayer, because another installation has the same. The clinic's
 * codes are retired. Those of its other clinics stay in use.
 */
export async function drawPrefix({ sql, session, clinicId, atMs }: WriteContext): Promise<Result<null>> {
  const taxId = await lockTaxpayer(sql, clinicId);
  if (taxId === null) return refuse('TAX_PROFILE_REQUIRED');
  await dropPrefix(sql, taxId);
  await retireCodesOf(sql, clinicId, { taxId, atMs });
  await recordAudit(sql, session, { action: 'device.codes_renewed', subject: taxId, at: atMs });
  return accept(null);
}
