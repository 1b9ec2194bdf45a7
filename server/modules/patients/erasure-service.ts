/**
 * Erases patients (decision 018). Whatever holds a copy of their data loses it in one transaction: the patient, the
 * treatments, the receipts of operations and of other writes, and the reasons of settled attention items. Invoices and
 * credit notes stay as they were issued.
 */
import { erasureProblems, withoutPatientText } from '#domain/patient/erasure.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import { patientAggregate } from '#domain/patient/operations.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Arrival, BatchScreen, Rewriting } from '#server/operations/operation-module.ts';
import {
  receiptsMentioning,
  receiptsOf,
  refusedReceipts,
  rewriteReceipts,
  uuids,
} from '#server/operations/receipts.ts';
import type { StoredText } from '#server/operations/receipts.ts';
import { holdBatches } from '#server/operations/store.ts';
import { eraseTextsOfItems } from '../attention/service.ts';
import { recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';
import { eraseAgencyMessages } from '../fiscal/service.ts';
import { eraseTexts, treatmentIdsOf } from '../orders/service.ts';
import { emptyPatients, erasedAmong, insertErasures } from './erasure-store.ts';
import { patientById } from './store.ts';

/** The refused operations in a patient's file; more would be an attack. */
const maxRefused = 200;

/** The lock key of patients, and the aggregate of the receipts of REST writes about them. */
export const patientsAggregate = 'patients';

/** Erases a patient for a manager. The reason is stored with the erasure and, as free text, not in the audit log. */
export async function erasePatient(
  { sql, session, clinicId, userId, atMs }: WriteContext,
  id: string,
  reason: string,
): Promise<Result<PatientResource>> {
  const patient = await patientById(sql, clinicId, id);
  if (!patient) return refuse('PATIENT_NOT_FOUND');
  if (patient.erased_at !== undefined) return refuse('PATIENT_ERASED');
  const problems = erasureProblems(reason, patient);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  await erasePatients(sql, session, { patientIds: [id], atMs, userId, reason: reason.trim() });
  return accept((await patientById(sql, clinicId, id))!);
}

interface Erasing {
  patientIds: readonly string[];
  atMs: number;
  /** Null for the retention period. */
  userId: number | null;
  reason: string;
}

/** Erases patients and records that. Erasing again what is erased changes nothing but what has arrived since. */
export async function erasePatients(sql: Sql, actor: Actor, erasing: Erasing): Promise<void> {
  const { clinicId } = actor;
  const { patientIds, atMs: at } = erasing;
  await holdBatches(sql, clinicId);
  await insertErasures(sql, clinicId, erasing);
  await emptyPatients(sql, clinicId, patientIds);
  const treatments = await eraseCopies(sql, clinicId, patientIds);
  for (const id of patientIds) {
    const details = { treatments: treatments.get(id) ?? 0 };
    await recordAudit(sql, actor, { action: 'patient.erased', subject: `patient:${id}`, details, at });
  }
}

/** @returns the number of treatments by patient */
async function eraseCopies(
  sql: Sql,
  clinicId: number,
  patientIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const naming = await receiptsMentioning(sql, clinicId, patientIds);
  const stored = await treatmentIdsOf(sql, clinicId, patientIds);
  const orderIds = stored.map(({ id }) => id);
  // A refused operation may be all that there is of a treatment.
  const aggregates = new Set([
    ...patientIds.map(patientAggregate),
    ...orderIds.map(orderAggregate),
    ...naming.map(({ aggregate }) => aggregate).filter((aggregate) => aggregate.startsWith(orderAggregate(''))),
  ]);
  const opIds = [...naming.map(({ op_id }) => op_id), ...(await receiptsOf(sql, clinicId, [...aggregates]))];
  const items = await eraseTextsOfItems(sql, clinicId, { orderIds, opIds });
  await eraseAgencyMessages(sql, clinicId, opIds);
  const settled = await receiptsOf(
    sql,
    clinicId,
    items.map((id) => `attention:${id}`),
  );
  await eraseTexts(sql, clinicId, orderIds);
  await rewriteReceipts(sql, clinicId, [...new Set([...opIds, ...settled])], (receipt) =>
    isOfOthers(receipt, patientIds) ? null : rewrittenReceipt(receipt),
  );
  const counts = new Map<string, number>();
  for (const { patientId } of stored) counts.set(patientId, (counts.get(patientId) ?? 0) + 1);
  return counts;
}

/** Returns the refused operations that name a patient, as they were received. */
export async function refusedOf(sql: Sql, clinicId: number, patientId: string): Promise<unknown[]> {
  const named = await receiptsMentioning(sql, clinicId, [patientId]);
  return refusedReceipts(sql, clinicId, named.map(({ op_id }) => op_id).slice(0, maxRefused));
}

/** True for an operation that gives a treatment, which was an erased patient's, to somebody else. */
function isOfOthers({ payload }: StoredText, patientIds: readonly string[]): boolean {
  const id = (payload as { patient?: { patient_id?: unknown } | null } | null)?.patient?.patient_id;
  return typeof id === 'string' && !patientIds.includes(id.toLowerCase());
}

/** A refused operation that nothing has replaced keeps its documents: it may still be approved, and nothing else has them. */
function rewrittenReceipt({ kind, status, superseded_by, payload, reply }: StoredText): {
  payload: unknown;
  reply: string;
} {
  const keepDocuments = status === 'refused' && superseded_by === null;
  return { payload: keptPayload(kind, payload, keepDocuments), reply: keptReply(reply) };
}

/** Returns a payload without the patient's text; empty when its form is unknown, because then any field may hold it. */
function keptPayload(kind: string, payload: unknown, keepDocuments: boolean): unknown {
  const schema = (payloadSchemas as Record<string, { safeParse(value: unknown): { success: boolean } }>)[kind];
  return schema?.safeParse(payload).success ? withoutPatientText(payload, { keepDocuments }) : {};
}

/** Returns a stored reply in the same form, with the reply of a patient's own write emptied. */
function keptReply(reply: string): string {
  const body = withoutPatientText(JSON.parse(reply) as Record<string, unknown>, { keepDocuments: false });
  // The names of unknown fields are text of the sender.
  if (body.code === 'VALIDATION') delete body.details;
  const data = body.data as Record<string, unknown> | undefined;
  if (data && 'phone' in data && 'name' in data) data.name = '';
  return JSON.stringify(body);
}

const orderIdIn = /^order:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the ids by which an operation may name a patient. */
function patientsNamedBy({ operation, isReadable }: Arrival): string[] {
  const { payload } = operation as { payload: unknown };
  // All of them: a plan may have two hundred lines before it names its patient.
  if (!isReadable)
    return [
      ...new Set(
        JSON.stringify(payload ?? null)
          .toLowerCase()
          .match(uuids),
      ),
    ];
  const { patient } = payload as { patient?: { patient_id: string } };
  return patient ? [patient.patient_id.toLowerCase()] : [];
}

const orderNamedBy = ({ operation }: Arrival): string | undefined => orderIdIn.exec(operation.aggregate)?.[1];

/** Removes the text about erased patients from operations as they arrive, such as those that a tablet queued before. */
export const erasureScreen: BatchScreen = {
  async screen(sql, clinicId, arrivals) {
    const named = arrivals.map((arrival) => ({ patients: patientsNamedBy(arrival), order: orderNamedBy(arrival) }));
    const patientIds = [...new Set(named.flatMap(({ patients }) => patients))];
    const orderIds = [...new Set(named.flatMap(({ order }) => order ?? []))];
    if (patientIds.length === 0 && orderIds.length === 0) return arrivals.map(() => null);
    const erased = await erasedAmong(sql, clinicId, { patientIds, orderIds });
    // The batch may hold a treatment's creation before its payments.
    const erasedOrders = new Set([
      ...erased.orders,
      ...named.flatMap(({ patients, order }) =>
        order !== undefined && patients.some((id) => erased.patients.has(id)) ? order : [],
      ),
    ]);
    return arrivals.map((arrival, index) => {
      const { patients, order } = named[index]!;
      const isErased =
        patients.some((id) => erased.patients.has(id)) || (order !== undefined && erasedOrders.has(order));
      return isErased ? rewriting(arrival) : null;
    });
  },
};

function rewriting({ operation: { kind, payload }, isReadable }: Arrival): Rewriting {
  return {
    // A repetition of a REST request is the body as it was sent, and is not written.
    payload: isReadable ? withoutPatientText(payload, { keepDocuments: true }) : {},
    receipt: { payload: keptPayload(kind, payload, false), reply: keptReply },
  };
}
