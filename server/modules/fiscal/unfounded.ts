/**
 * Carries out what a manager decides about a tablet's record that no document confirms. It is sent all the same, because the document
 * is on paper, or it is annulled.
 */
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { WriteContext } from '#server/context.ts';
import { clearConcernsOf } from '../attention/service.ts';
import type { AttentionKind } from '../attention/service.ts';
import { audit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { checkedRecords } from './checks.ts';
import { endHold } from './sending-store.ts';
import { appendCancellation } from './service.ts';
import { lockServerChains, recordToDecide } from './store.ts';
import type { CancelledRecord } from './store.ts';

const told: readonly AttentionKind[] = ['record_without_document', 'record_differs', 'number_foreign'];

/** Sends a record that is held back. The records that wait behind it in its chain follow. */
export async function releaseRecord(context: WriteContext, id: number): Promise<Result<{ number: string }>> {
  const { sql, clinicId } = context;
  await lockServerChains(sql, clinicId);
  const found = await recordToDecide(sql, clinicId, id);
  if (!found) return refuse('NOT_FOUND');
  if (!found.isTablets || found.heldFor === null) return refuse('RECORD_NOT_HELD');
  await endHold(sql, clinicId, { recordId: id, state: 'unsent' });
  return settled(context, found, 'fiscal.released');
}

/**
 * Annuls a record by a cancellation in the chain of the server. One that is held back never goes out. A record that its
 * document confirms is not annulled: the document is refunded, or its treatment cancelled.
 */
export async function annulRecord(context: WriteContext, id: number): Promise<Result<{ number: string }>> {
  const { sql, clinicId, atMs } = context;
  await lockServerChains(sql, clinicId);
  const found = await recordToDecide(sql, clinicId, id);
  if (!found) return refuse('NOT_FOUND');
  const settings = await clinicSettings(sql, clinicId);
  if (!found.isTablets || !(await isUnfounded(context, found, settings))) return refuse('RECORD_NOT_HELD');
  await appendCancellation(sql, { clinicId, receivedAtMs: atMs, settings }, found);
  return settled(context, found, 'fiscal.annulled');
}

async function isUnfounded(
  { sql, clinicId }: WriteContext,
  { recordId, record, state, heldFor }: CancelledRecord,
  settings: Awaited<ReturnType<typeof clinicSettings>>,
): Promise<boolean> {
  if (heldFor !== null) return true;
  if (state === null || state === 'not_sent') return false;
  const checked = await checkedRecords(
    sql,
    { clinicId, settings },
    { issuing: [], others: [record.document_op_id], isReplacing: false },
  );
  return checked.some((one) => one.recordId === recordId && one.heldFor !== null);
}

async function settled(
  context: WriteContext,
  { record: { document_op_id: opId, fields } }: CancelledRecord,
  action: 'fiscal.released' | 'fiscal.annulled',
): Promise<Result<{ number: string }>> {
  const { sql, clinicId, atMs } = context;
  const { number } = fields;
  await clearConcernsOf(sql, clinicId, atMs, { opIds: [opId], kinds: told });
  await audit(context, { action, subject: number, details: { total: fields.total } });
  return accept({ number });
}
