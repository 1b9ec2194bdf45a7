/**
 * Sends fiscal records to the tax agency, in the order of their chains and at the pace that the agency asks for:
 *
 *     unsent ──▶ call ──▶ accepted | accepted_with_errors | rejected
 *        ▲         │
 *        └─────────┘ no answer, or the call as a whole is refused: again, for ever
 *
 * What is in doubt waits until the agency has answered which records it has (`inquiry.ts`).
 *
 * Any number of processes have one sender per taxpayer: it holds an advisory lock, and a process that dies releases it.
 * Before a call the attempt is counted and the next call put off. So the process that goes on after a crash keeps the pace and knows
 * that the records may have arrived.
 */
import { dayMs, hourMs } from '#domain/durations.ts';
import type { Pool } from 'pg';
import { businessDay } from '#domain/business-day.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { announcedEnd } from '#domain/settings/verifactu.ts';
import type { SendingConcern, UnsentReason } from '#domain/attention.ts';
import { acrossClinics } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { publishChange } from '#server/events/pokes.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import type { Ports } from '#server/ports.ts';
import { clearClinicConcern, raiseAttention, stateClinicConcern } from '../attention/service.ts';
import { version } from '#server/version.ts';
import { clinicSettings } from '../clinics/service.ts';
import { openCertificate } from './certificate.ts';
import { expiringCertificates } from './certificate-store.ts';
import { ask, holdsAll, monthsInDoubt } from './inquiry.ts';
import { monthsHeld, nextInquiry, openInquiries, releaseAsked } from './inquiry-store.ts';
import {
  answersOf,
  inChainOrder,
  isLate,
  isMissing,
  isOfRecord,
  needsPerson,
  refusalCode,
  ripeRecords,
} from './outcome.ts';
import type { RecordAnswer } from './outcome.ts';
import { readReply } from './reply.ts';
import type { CallReply } from './reply.ts';
import { repeatedNumbers, saveReplies } from './answers-store.ts';
import {
  clinicToServe,
  countAttempt,
  dueTaxpayers,
  longestWaitMs,
  holdTaxpayer,
  paceOf,
  savePace,
  sendableOf,
  unsentRecords,
  waitingClinics,
} from './queue-store.ts';
import { hasSeveralTaxpayers } from './sending-store.ts';
import type { CallParts, Pace, UnsentRecord } from './queue-store.ts';
import { appendCancellation } from './service.ts';
import { lockServerChains, recordOfCancellation } from './store.ts';
import { callTimeoutMs } from './transport.ts';
import type { Agency } from './transport.ts';
import { enoughBytesPerCall, maxRecordsPerCall, soapMessage } from './xml.ts';
import type { Producer } from './xml.ts';

const everyMs = 5_000;
/** The wait before the agency has said another, and the least one after a call without an answer. */
const firstWaitSeconds = 60;
/** The agency wants records that an outage holds up at least once an hour. */
const longestPauseMs = hourMs;
/** A manager hears of records that have waited this long. */
const patienceMs = hourMs;
const warnAheadMs = 30 * dayMs;

export type SenderPorts = Pick<Ports, 'database' | 'clock' | 'secret'> & { agency: Agency; producer: Producer };

/** What one call sent, for whom, and the pace before it. */
interface Call {
  taxId: string;
  clinicId: number;
  records: readonly UnsentRecord[];
  pace: Pace;
}

export class FiscalSender {
  private readonly pool: Pool;
  /** The hour in which this process last looked for what a manager has to be told. */
  private toldHour = -1;
  /** How much the agency's clock is ahead of this one, as its last receipt said. */
  private agencyAheadMs = 0;

  constructor(
    private readonly ports: SenderPorts,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.pool = acrossClinics(ports.database);
  }

  /** Makes the calls that are due, one for each taxpayer. Never throws. */
  async look(): Promise<void> {
    try {
      for (const taxId of await dueTaxpayers(this.pool, this.ports.clock()))
        await this.serve(taxId).catch((error: unknown) => this.onFault(error));
      await this.tell();
    } catch (error) {
      this.onFault(error);
    }
  }

  private async serve(taxId: string): Promise<void> {
    await inTransaction(this.pool, async (sql) => {
      if (!(await holdTaxpayer(sql, taxId))) return;
      const nowMs = this.ports.clock();
      const pace = (await paceOf(this.pool, taxId)) ?? {
        nextCallAtMs: nowMs,
        waitSeconds: firstWaitSeconds,
        failures: 0,
        mostRecords: maxRecordsPerCall,
      };
      if (pace.nextCallAtMs > nowMs && pace.nextCallAtMs <= nowMs + longestWaitMs) return;
      await openInquiries(this.pool, { taxId, months: await monthsHeld(this.pool, taxId), atMs: nowMs, again: false });
      const inquiry = await nextInquiry(this.pool, taxId, nowMs);
      if (inquiry?.isDue) return ask(this.pool, this.ports, inquiry, this.onFault);
      if (inquiry && holdsAll(inquiry)) return;
      if (inquiry) await releaseAsked(this.pool, taxId);
      const clinic = await clinicToServe(this.pool, taxId);
      if (clinic) await this.callFor(taxId, clinic, pace);
    });
  }

  private async callFor(taxId: string, { clinicId, sealedCertificate }: CallParts, pace: Pace): Promise<void> {
    const { agency, clock, producer, secret } = this.ports;
    const calledAtMs = clock();
    const unsent = await unsentRecords(this.pool, {
      clinicId,
      taxId,
      limit: pace.mostRecords < maxRecordsPerCall ? Math.ceil(pace.mostRecords / 2) : maxRecordsPerCall,
      enoughBytes: enoughBytesPerCall,
    });
    const records = ripeRecords(inChainOrder(unsent), { nowMs: calledAtMs, agencyAheadMs: this.agencyAheadMs });
    if (records.length === 0) return;
    await savePace(this.pool, taxId, { ...pace, nextCallAtMs: calledAtMs + callTimeoutMs + carefulWaitMs(pace) });
    await countAttempt(
      this.pool,
      { clinicId, atMs: calledAtMs },
      records.map(({ recordId }) => recordId),
    );
    let reply: Exclude<CallReply, { type: 'unreadable' }>;
    try {
      const certificate = openCertificate(sealedCertificate, clinicId, secret);
      const settings = await clinicSettings(this.pool, clinicId);
      const message = soapMessage({
        issuer: { name: records.at(-1)!.record.fields.issuer_name, taxId },
        system: { producer, version, isShared: await hasSeveralTaxpayers(this.pool) },
        isLate: records.some((one) => isLate(one, calledAtMs + this.agencyAheadMs)),
        // Another clinic with the former tax number states its own end.
        endsOn:
          taxpayerOf(settings) === taxId ? announcedEnd(settings, businessDay(calledAtMs, settings.time_zone)) : null,
        records: records.map(({ record }) => record),
      });
      const answer = readReply(await agency.call(message, certificate));
      if (answer.type === 'unreadable') throw new Error('The answer of the tax agency cannot be read');
      reply = answer;
    } catch (error) {
      this.onFault(error);
      await this.postpone(taxId, pace);
      return;
    }
    const call = { taxId, clinicId, records, pace };
    if (reply.type === 'answer') await this.store(call, reply);
    else await this.refused(call, reply.message);
  }

  private async store(
    { taxId, clinicId, records, pace }: Call,
    reply: Extract<CallReply, { type: 'answer' }>,
  ): Promise<void> {
    const atMs = this.ports.clock();
    const { waitSeconds } = reply;
    if (reply.presentedAtMs !== null) this.agencyAheadMs = reply.presentedAtMs - atMs;
    const again = records.filter(({ attempts }) => attempts > 0).map(({ recordId }) => recordId);
    const sameNumber = again.length > 0 ? await repeatedNumbers(this.pool, clinicId, again) : undefined;
    const answers = answersOf(records, reply.records, sameNumber);
    await inTransaction(this.pool, async (sql) => {
      const receipt = { origin: 'call', csv: reply.csv, presentedAtMs: reply.presentedAtMs } as const;
      await saveReplies(sql, { clinicId, atMs, receipt }, answers);
      await openInquiries(sql, { taxId, months: monthsInDoubt(records, answers), atMs, again: true });
      await savePace(sql, taxId, {
        nextCallAtMs: atMs + waitSeconds * 1000,
        waitSeconds,
        failures: 0,
        mostRecords: suspectsAfter(pace, records.length),
      });
      const repeated = await this.cancelAgain(sql, { clinicId, atMs }, records, answers);
      await raiseAttention(
        sql,
        clinicId,
        atMs,
        answers
          .filter((one) => needsPerson(one) && !repeated.has(one.recordId))
          .map(({ number, documentOpId, state, code, message }) => {
            const kind: SendingConcern = state === 'rejected' ? 'record_rejected' : 'record_with_errors';
            const details = { number, reason: [code, message].filter(Boolean).join(': ') };
            return { kind, opId: documentOpId, opKind: null, orderId: null, details };
          }),
      );
      const count = await sendableOf(sql, clinicId);
      if (count === 0) await clearClinicConcern(sql, clinicId, atMs, 'records_unsent');
    });
    // Every screen of the clinic shows the number of unsent records.
    publishChange(this.pool, clinicId);
  }

  /**
   * Cancels again what the agency has no record of: it rejected the document while the cancellation was on its way.
   *
   * @returns the cancellations that need nobody
   */
  private async cancelAgain(
    sql: Sql,
    { clinicId, atMs }: { clinicId: number; atMs: number },
    records: readonly UnsentRecord[],
    answers: readonly RecordAnswer[],
  ): Promise<Set<number>> {
    const repeated = new Set<number>();
    const answered = new Map(answers.map((answer) => [answer.recordId, answer]));
    for (const { recordId, record } of records) {
      if (record.type !== 'cancel' || record.fields.again || !isMissing(answered.get(recordId))) continue;
      await lockServerChains(sql, clinicId);
      const cancelled = await recordOfCancellation(sql, clinicId, recordId);
      if (cancelled?.state !== 'rejected' || cancelled.isNumberTaken) continue;
      const settings = await clinicSettings(sql, clinicId);
      await appendCancellation(sql, { clinicId, receivedAtMs: atMs, settings }, cancelled, { isAgain: true });
      repeated.add(recordId);
    }
    return repeated;
  }

  /**
   * The agency took none of the records. One for which it refuses the call is found by halves, at once: a refused call asks
   * for no wait. The others go out, and the one is shown as rejected.
   */
  private async refused({ taxId, clinicId, records, pace }: Call, message: string): Promise<void> {
    this.onFault(new Error(`The tax agency refuses a call: ${message}`));
    const code = refusalCode(message);
    const atMs = this.ports.clock();
    if (!isOfRecord(code)) {
      await this.postpone(taxId, pace);
      await inTransaction(this.pool, async (sql) => {
        const count = await sendableOf(sql, clinicId);
        await stateClinicConcern(sql, clinicId, atMs, { kind: 'records_unsent', details: { count, reason: message } });
      });
      return;
    }
    const [only, ...more] = records;
    if (only && more.length === 0) {
      const { type, fields } = only.record;
      const line = { type, number: fields.number, issuedOn: fields.issued_on, state: 'rejected' as const };
      const lines = [{ ...line, code, message, duplicateOf: null }];
      const waitSeconds = Math.max(pace.waitSeconds, firstWaitSeconds);
      const reply = { type: 'answer', csv: null, presentedAtMs: null, waitSeconds, records: lines } as const;
      await this.store({ taxId, clinicId, records: [only], pace: { ...pace, mostRecords: maxRecordsPerCall } }, reply);
      return;
    }
    // `maxRecordsPerCall` means that no search is under way, so a search begins with less.
    const mostRecords = Math.min(records.length, maxRecordsPerCall - 1);
    await savePace(this.pool, taxId, { ...pace, nextCallAtMs: atMs, mostRecords });
  }

  private postpone(taxId: string, pace: Pace): Promise<void> {
    const waitMs = carefulWaitMs(pace);
    const pauseMs = Math.min(waitMs * 2 ** Math.min(pace.failures, 12), longestPauseMs);
    const nextCallAtMs = this.ports.clock() + Math.max(pauseMs, waitMs);
    return savePace(this.pool, taxId, { ...pace, nextCallAtMs, failures: pace.failures + 1 });
  }

  /** Tells managers once an hour of records that wait for long, and of certificates that end soon. */
  private async tell(): Promise<void> {
    const atMs = this.ports.clock();
    const hour = Math.floor(atMs / hourMs);
    if (hour === this.toldHour) return;
    this.toldHour = hour;
    for (const { clinicId, count, sinceMs, hasCertificate } of await waitingClinics(this.pool)) {
      if (atMs - sinceMs < patienceMs) continue;
      const reason: UnsentReason = hasCertificate ? 'NO_ANSWER' : 'NO_CERTIFICATE';
      await inTransaction(this.pool, (sql) =>
        stateClinicConcern(sql, clinicId, atMs, { kind: 'records_unsent', details: { count, reason } }),
      );
    }
    for (const { clinicId, holder, expiresAtMs } of await expiringCertificates(this.pool, atMs + warnAheadMs)) {
      const details = { holder, day: businessDay(expiresAtMs, 'Europe/Madrid') };
      await inTransaction(this.pool, (sql) =>
        stateClinicConcern(sql, clinicId, atMs, { kind: 'certificate_expires', details }),
      );
    }
  }
}

/** Returns how many of the next records hold one for which the agency refuses a call, when it has taken so many. */
function suspectsAfter({ mostRecords }: Pace, taken: number): number {
  const left = mostRecords - taken;
  return mostRecords === maxRecordsPerCall || left <= 0 ? maxRecordsPerCall : left;
}

/** A reply that is lost may have asked for more than the last one did. */
const carefulWaitMs = ({ waitSeconds }: Pace): number => Math.max(waitSeconds, firstWaitSeconds) * 1000;

/** Looks for records to send until it is stopped. */
export function startFiscalSender(ports: SenderPorts, onFault: (error: unknown) => void): IntervalJob {
  const sender = new FiscalSender(ports, onFault);
  return startIntervalJob(() => sender.look(), { everyMs, onFault });
}
