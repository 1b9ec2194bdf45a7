/**
 * Asks the tax agency which records it has of a month: after a restore, which forgets what was sent, and when the agency answers that
 * it has a number already. Records that it has are not sent again, and managers hear of documents that the backup lacks. A restored
 * server also asks before it cancels a document that it holds back, because it may have sent it before. After a restore all records
 * of the taxpayer wait for the answer, otherwise those of the chain that is in doubt.
 */
import type { Pool } from 'pg';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { publishChange } from '#server/events/pokes.ts';
import { clearClinicConcern, clearConcernsOf, raiseAttention, stateClinicConcern } from '../attention/service.ts';
import type { Ports } from '#server/ports.ts';
import { clinicSettings } from '../clinics/service.ts';
import { openCertificate } from './certificate.ts';
import {
  cancellationsInDoubt,
  clinicToAsk,
  lostDocuments,
  noteLostDocuments,
  putOff,
  recordsFound,
  releaseAsked,
  turnPage,
} from './inquiry-store.ts';
import type { FoundRecord, HeldCancellation, Inquiry } from './inquiry-store.ts';
import { patientFailures } from './months.ts';
import { isDuplicate, needsPerson } from './outcome.ts';
import { readQueryReply } from './reply.ts';
import type { QueryReply } from './reply.ts';
import { saveReplies } from './answers-store.ts';
import { sendableOf } from './queue-store.ts';
import { endHold } from './sending-store.ts';
import type { StoredReply } from './answers-store.ts';
import type { UnsentRecord } from './queue-store.ts';
import { appendCancellation } from './service.ts';
import { lockServerChains, recordOfCancellation } from './store.ts';
import type { Agency } from './transport.ts';
import { queryMessage } from './xml.ts';

const minuteMs = 60_000;
const longestPauseMs = 60 * minuteMs;
const mostNamed = 20;

/** True while all records of the taxpayer wait for the answer. */
export const holdsAll = ({ isForAll, failures }: Inquiry): boolean => isForAll && failures < patientFailures;

const monthOf = (day: string): string | undefined =>
  /^\d{2}-(0[1-9]|1[0-2])-(\d{4})$/.exec(day)?.slice(1).toReversed().join('-');

/** Returns the months under which the agency may have the documents of records whose numbers it has. */
export function monthsInDoubt(
  records: readonly UnsentRecord[],
  answers: readonly Pick<StoredReply, 'recordId' | 'state' | 'code'>[],
): string[] {
  const doubtful = new Set(
    answers.filter(({ state, code }) => state === 'rejected' && isDuplicate(code)).map(({ recordId }) => recordId),
  );
  const days = records.flatMap(({ recordId, record: { fields } }) =>
    doubtful.has(recordId) ? [fields.issued_on, ('operation_on' in fields && fields.operation_on) || ''] : [],
  );
  return days.flatMap((day) => monthOf(day) ?? []);
}

/** Asks for one page, and stores what follows from it. An agency that does not answer is asked again later. */
export async function ask(
  pool: Pool,
  { agency, clock, secret }: Pick<Ports, 'clock' | 'secret'> & { agency: Agency },
  inquiry: Inquiry,
  onFault: (error: unknown) => void,
): Promise<void> {
  const { taxId, month, after, failures } = inquiry;
  const pauseMs = Math.min(minuteMs * 2 ** Math.min(failures, 6), longestPauseMs);
  const clinic = await clinicToAsk(pool, taxId);
  if (!clinic) return putOff(pool, inquiry, clock() + pauseMs);
  let answer: Extract<QueryReply, { type: 'answer' }>;
  try {
    const certificate = openCertificate(clinic.sealedCertificate, clinic.clinicId, secret);
    const message = queryMessage({ issuer: { name: clinic.name, taxId }, month, after });
    const reply = readQueryReply(await agency.call(message, certificate));
    if (reply.type !== 'answer')
      throw new Error(
        `The tax agency does not answer what it has of ${month}: ${reply.type === 'fault' ? reply.message : reply.type}`,
      );
    answer = reply;
  } catch (error) {
    onFault(error);
    await putOff(pool, inquiry, clock() + pauseMs);
    return;
  }
  const atMs = clock();
  // A page that names the same document as the one before would be read for ever.
  const isStuck = answer.next !== null && answer.next.number === after?.number;
  const changed = await inTransaction(pool, async (sql) => {
    const found = await recordsFound(sql, taxId, answer.records);
    const clinics = new Set(found.map(({ clinicId }) => clinicId));
    for (const clinicId of clinics)
      await markFound(
        sql,
        { clinicId, atMs },
        found.filter((one) => one.clinicId === clinicId),
      );
    for (const one of await cancellationsInDoubt(sql, taxId, answer.records)) await settleInDoubt(sql, one, atMs);
    const lacking = await noteLostDocuments(sql, taxId, { records: answer.records, askedFor: clinic.clinicId, atMs });
    for (const clinicId of lacking) await tellLost(sql, clinicId, atMs);
    await turnPage(sql, inquiry, { next: isStuck ? null : answer.next, atMs });
    await releaseAsked(sql, taxId);
    return clinics;
  });
  for (const clinicId of changed) publishChange(pool, clinicId);
}

async function markFound(
  sql: Sql,
  { clinicId, atMs }: { clinicId: number; atMs: number },
  found: readonly FoundRecord[],
): Promise<void> {
  const replies = found.map(({ recordId, state, code }): StoredReply => {
    const kept = state === 'cancelled' ? 'accepted' : state;
    return { recordId, state: kept, said: kept, code: kept === 'accepted' ? null : code, message: null };
  });
  await saveReplies(sql, { clinicId, atMs, receipt: { origin: 'query', csv: null, presentedAtMs: null } }, replies);
  const opIds = found.map(({ documentOpId }) => documentOpId);
  await clearConcernsOf(sql, clinicId, atMs, { opIds, kinds: ['record_rejected'] });
  await raiseAttention(
    sql,
    clinicId,
    atMs,
    found.flatMap(({ number, documentOpId, code }, index) =>
      needsPerson(replies[index]!)
        ? [
            {
              kind: 'record_with_errors' as const,
              opId: documentOpId,
              opKind: null,
              orderId: null,
              details: { number, reason: String(code ?? '') },
            },
          ]
        : [],
    ),
  );
  if ((await sendableOf(sql, clinicId)) === 0) await clearClinicConcern(sql, clinicId, atMs, 'records_unsent');
}

/** Takes back a cancellation that says that the agency has no document of its number, and cancels the one that it has. */
async function settleInDoubt(
  sql: Sql,
  { clinicId, recordId, documentIds, isOurs }: HeldCancellation,
  atMs: number,
): Promise<void> {
  await lockServerChains(sql, clinicId);
  for (const id of [recordId, ...documentIds]) await endHold(sql, clinicId, { recordId: id, state: 'not_sent' });
  const cancelled = isOurs ? await recordOfCancellation(sql, clinicId, recordId) : undefined;
  if (!cancelled) return;
  const settings = await clinicSettings(sql, clinicId);
  await appendCancellation(sql, { clinicId, receivedAtMs: atMs, settings }, cancelled);
}

async function tellLost(sql: Sql, clinicId: number, atMs: number): Promise<void> {
  const { count, numbers } = await lostDocuments(sql, clinicId, mostNamed);
  const named = numbers.length < count ? `${numbers.join(', ')} …` : numbers.join(', ');
  await stateClinicConcern(sql, clinicId, atMs, { kind: 'documents_lost', details: { count, numbers: named } });
}
