/**
 * Verifies the chains of a clinic, that its documents have records, and that records, documents, payments, Z reports and the
 * answers of the tax agency fit: in parts, so that years neither fill the memory nor hold up other requests.
 */
import { dayMs, hourMs } from '#domain/durations.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { mostUnrecorded } from '#domain/fiscal/resources.ts';
import type { StoredFault, UnrecordedDocument, Verification, VerifiedChain } from '#domain/fiscal/resources.ts';
import { faultOf, isHead, readRecord } from '#domain/fiscal/verify.ts';
import type { NamedHead } from '#domain/fiscal/verify.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { clinicSettings } from '../clinics/service.ts';
import { documentsWithoutRecord, recordsSince } from './checks-store.ts';
import { sha256 } from './sha256.ts';
import { recordsPage } from './store.ts';
import type { StoredRecord } from './store.ts';
import { dayDifferences, documentFaults, faultsOfPage, isToBeNoted } from './verify-documents.ts';

const pageSize = 500;
const mostFaults = 20;
const spanMs = 30 * dayMs;
/** A tablet sends a record some operations after its document. */
const graceMs = hourMs;

/** @param printed a head that one of the chains must contain */
export async function verifyChains(
  sql: Sql,
  clinicId: number,
  { nowMs, printed }: { nowMs: number; printed?: NamedHead | undefined },
): Promise<Verification> {
  const chains: VerifiedChain[] = [];
  let isFound = false;
  let before: FiscalRecord | null = null;
  let last: StoredRecord | null = null;
  const settings = await clinicSettings(sql, clinicId);
  const contradicting: StoredFault[] = [];
  const add = (faults: readonly StoredFault[]) =>
    contradicting.push(...faults.slice(0, mostUnrecorded - contradicting.length));
  let isNoted = false;
  for (;;) {
    const page: StoredRecord[] = await recordsPage(sql, clinicId, { after: last, limit: pageSize });
    const readable = page.flatMap(({ id, record }) => {
      const read = readRecord(record);
      return read ? [{ id, record: read }] : [];
    });
    const compared = await faultsOfPage(sql, clinicId, { settings, freshSinceMs: nowMs - graceMs }, readable);
    add(compared.faults);
    for (const stored of page) {
      const { deviceId, chain: code, sequence } = stored;
      const record = readRecord(stored.record);
      let chain = chains.at(-1);
      const isSame = chain?.chain === code && chain.device_id === deviceId;
      if (!chain || !isSame) {
        chain = { chain: code, device_id: deviceId, count: 0, seal: '', faults: [] };
        chains.push(chain);
        isNoted = false;
      }
      const fault = record ? faultOf(record, isSame ? before : null, sha256) : 'seal';
      if (fault && chain.faults.length < mostFaults) chain.faults.push({ sequence, fault });
      chain.count += 1;
      if (record) chain.seal = record.seal;
      const isNotedToo = compared.noted.has(stored.id);
      if (record && isNoted && !isNotedToo && isToBeNoted(record, settings))
        add([{ number: record.fields.number, fault: 'noted' }]);
      isNoted ||= isNotedToo;
      isFound ||= record !== null && printed?.chain === code && isHead(record, printed);
      before = record;
      last = stored;
    }
    if (page.length < pageSize) break;
  }
  const areWhole = chains.every(({ faults }) => faults.length === 0);
  const unrecorded = await unrecordedDocuments(sql, clinicId, nowMs);
  add(await documentFaults(sql, clinicId, { nowMs, limit: mostUnrecorded }));
  const sinceMs = (await recordsSince(sql, clinicId)) ?? nowMs;
  const days = await dayDifferences(sql, clinicId, { settings, sinceMs, nowMs, limit: mostUnrecorded });
  const isRight = unrecorded.length + contradicting.length + days.length === 0;
  return {
    intact: areWhole && isRight && (!printed || isFound),
    chains,
    unrecorded,
    contradictions: contradicting,
    days,
    head_found: printed ? isFound : null,
  };
}

/** Returns the first documents that were issued since the clinic keeps records, and have none. */
async function unrecordedDocuments(sql: Sql, clinicId: number, nowMs: number): Promise<UnrecordedDocument[]> {
  const documents: UnrecordedDocument[] = [];
  const sinceMs = await recordsSince(sql, clinicId);
  for (let fromMs = sinceMs ?? nowMs; fromMs < nowMs && documents.length < mostUnrecorded; fromMs += spanMs) {
    const found = await documentsWithoutRecord(sql, clinicId, {
      fromMs,
      untilMs: Math.min(fromMs + spanMs, nowMs),
      receivedMs: nowMs - graceMs,
      untold: false,
      limit: mostUnrecorded - documents.length,
    });
    documents.push(
      ...found.map(({ number, orderId, atMs }) => ({ number, order_id: orderId, issued_at: isoOf(atMs) })),
    );
  }
  return documents;
}
