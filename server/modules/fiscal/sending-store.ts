/** Which fiscal records are sent, and which are held back, in SQL. */
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import type { HoldReason, SendingState } from '#domain/fiscal/resources.ts';
import { isRecipientCountry, isRecipientId } from '#domain/tax/recipient-id.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { isSentOn } from '#domain/settings/verifactu.ts';
import { codeOfNumber } from '#domain/order/numbers.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { serverDevice } from './server-device.ts';

export interface NewSending {
  deviceId: number;
  record: FiscalRecord;
  /** Why the record does not go out now, or that it never does. */
  withheld?: HoldReason | 'not_sent' | null;
}

/** The agency's number for a false NIF. One of another length, or an unknown country, makes it refuse the whole call. */
export const falseNif = 1123;

/** True for the record of a tablet that the agency would reject for its recipient. */
const hasFalseRecipient = ({ deviceId, record: { type, fields } }: NewSending): boolean =>
  deviceId !== serverDevice &&
  type === 'issue' &&
  fields.recipient !== undefined &&
  !(isRecipientId(fields.recipient) && isRecipientCountry(fields.recipient));

/** Records that managers have to hear of. */
export interface NotedSendings {
  /** Held back because nobody was given their code. */
  invented: FiscalRecord[];
  /** Rejected before the agency sees them. A correction can mend them. */
  rejected: FiscalRecord[];
}

/**
 * Stores what becomes of records that were just inserted: they wait for the sender, are held back, are rejected, or are never sent.
 * A number under the code of another device or clinic belongs to that one, so it is never sent. The server may have forgotten a code
 * with a restore, which the letters of the code show. Any other code that nobody was given is invented, and its records are held back.
 */
export async function insertSendings(
  sql: Sql,
  clinicId: number,
  settings: ClinicSettings,
  records: readonly NewSending[],
): Promise<NotedSendings> {
  if (records.length === 0) return { invented: [], rejected: [] };
  const stateOf = (sending: NewSending): SendingState => {
    const { deviceId, record, withheld } = sending;
    const { chain, fields } = record;
    // The server corrects and cancels what others have numbered.
    const isNumberedIn = deviceId === serverDevice || codeOfNumber(fields.number) === chain;
    const isSent = fields.issuer !== '' && isSentOn(settings, fields.generated_at.slice(0, 10));
    if (!isNumberedIn || !isSent || withheld === 'not_sent') return 'not_sent';
    return hasFalseRecipient(sending) ? 'rejected' : 'unsent';
  };
  const told = await rowsOf<{ seal: string; isRejected: boolean }>(
    sql,
    'insert sendings',
    `with noted as (
       insert into fiscal_sendings (clinic_id, record_id, tax_id, state, code, held_for)
       select r.clinic_id, r.id, n.issuer, s.state, case s.state when 'rejected' then ${falseNif} end,
         case when s.state = 'unsent' then case s.code when 'unknown' then 'code' else n.held_for end end
       from json_to_recordset($2::json)
         as n(chain text, device_id int, sequence int, seal text, issuer text, state text, held_for text)
       join fiscal_records r on r.clinic_id = $1 and r.chain = n.chain and r.device_id = n.device_id
         and r.sequence = n.sequence and r.seal = n.seal
       cross join lateral (select case
         when exists (select from device_codes c where c.clinic_id = r.clinic_id and c.code = n.chain
           and c.tax_id = n.issuer
           and (c.device_id = n.device_id or (n.device_id = ${serverDevice} and c.code like '%0'))) then 'own'
         when n.issuer is distinct from $3 or is_granted(n.chain) then 'foreign'
         when exists (select from forgotten_prefixes f where f.tax_id = n.issuer and n.chain like f.prefix || '%') then 'own'
         else 'unknown' end) c(code)
       cross join lateral (select c.code, case c.code when 'foreign' then 'not_sent' else n.state end) s(code, state)
       on conflict do nothing returning record_id, state, held_for)
     select r.seal, state = 'rejected' as "isRejected" from noted
     join fiscal_records r on r.clinic_id = $1 and r.id = record_id where held_for = 'code' or state = 'rejected'`,
    [
      clinicId,
      JSON.stringify(
        records.map((one) => ({
          chain: one.record.chain,
          device_id: one.deviceId,
          sequence: one.record.sequence,
          seal: one.record.seal,
          issuer: one.record.fields.issuer,
          state: stateOf(one),
          held_for: one.withheld === 'not_sent' ? null : one.withheld,
        })),
      ),
      taxpayerOf(settings),
    ],
  );
  const seals = new Map(told.map(({ seal, isRejected }) => [seal, isRejected]));
  const toldAs = (isRejected: boolean) =>
    records.flatMap(({ record }) => (seals.get(record.seal) === isRejected ? record : []));
  return { invented: toldAs(false), rejected: toldAs(true) };
}

/** Stores anew why records wait for their documents; null releases them. */
export async function restateHolds(
  sql: Sql,
  clinicId: number,
  checked: readonly { recordId: number; heldFor: HoldReason | null }[],
): Promise<void> {
  if (checked.length === 0) return;
  await sql.query({
    name: 'restate holds',
    text: `update fiscal_sendings s set held_for = n."heldFor" from json_to_recordset($2::json) as n("recordId" bigint, "heldFor" text)
           where s.clinic_id = $1 and s.record_id = n."recordId" and s.held_for in ('document', 'difference')`,
    values: [clinicId, JSON.stringify(checked)],
  });
}

/** Ends the hold of a record: it is sent, or never. */
export async function endHold(
  sql: Sql,
  clinicId: number,
  { recordId, state }: { recordId: number; state: 'unsent' | 'not_sent' },
): Promise<void> {
  await sql.query({
    name: 'end hold',
    text: `update fiscal_sendings set held_for = null, state = $3 where clinic_id = $1 and record_id = $2 and held_for is not null`,
    values: [clinicId, recordId, state],
  });
}

/** Returns whether this installation has forgotten what the agency has of a taxpayer: a backup was restored. */
export async function hasForgotten(sql: Sql, taxId: string): Promise<boolean> {
  const rows = await rowsOf<object>(sql, 'has forgotten', 'select from forgotten_prefixes where tax_id = $1 limit 1', [
    taxId,
  ]);
  return rows.length > 0;
}

/** Holds a record back until the agency has said whether it has the document. */
export async function holdForAgency(sql: Sql, clinicId: number, recordId: number): Promise<void> {
  await sql.query({
    name: 'hold for agency',
    text: `update fiscal_sendings set held_for = 'agency' where clinic_id = $1 and record_id = $2 and held_for is not null`,
    values: [clinicId, recordId],
  });
}

/** True when this installation has the records of several taxpayers. */
export async function hasSeveralTaxpayers(sql: Sql): Promise<boolean> {
  const rows = await rowsOf<{ taxId: string }>(
    sql,
    'some taxpayers',
    `select distinct data ->> 'tax_id' as "taxId" from settings where data ->> 'tax_profile' = 'ES' limit 2`,
    [],
  );
  return rows.length > 1;
}
