import { parseNumber } from '#domain/order/numbers.ts';
import type { Series } from '#domain/order/numbers.ts';
import type { Sql } from '#server/db/sql.ts';
import type { BatchWriter, DecidedBatch } from '#server/operations/operation-module.ts';
import { lockDevices, saveProgress } from './progress-store.ts';
import type { ReachedSequence, UsedNumber } from './progress-store.ts';

/**
 * Records the progress of the devices of a batch. It comes early in the list of modules, because it locks the device's
 * row: of two storages that share one device's numbers, the second then finds what the first has written.
 */
export const deviceWriter: BatchWriter = {
  write: (sql, { clinicId, receivedAtMs }, batch) => recordProgress(sql, clinicId, receivedAtMs, batch),
};

/**
 * SYNC-12: records how far each device has counted, so that a device which lost its storage is noticed. Only applied
 * operations count, and a step beyond the limits counts nothing: a manager looks at it.
 */
async function recordProgress(sql: Sql, clinicId: number, atMs: number, batch: DecidedBatch): Promise<void> {
  const sequences: ReachedSequence[] = [];
  const numbers: UsedNumber[] = [];
  for (const { status, envelope } of batch.receipts) {
    const { op_id: opId, device_id: device, device_seq: seq, payload } = envelope;
    if (device === null || status !== 'applied') continue;
    sequences.push({ opId, device, seq });
    for (const number of numbersIn(payload)) numbers.push({ opId, device, ...number });
  }
  if (sequences.length === 0) return;
  // An update of several rows locks them in no certain order.
  const devices = [...new Set(sequences.map(({ device }) => device))];
  if (devices.length > 1) await lockDevices(sql, clinicId, devices);
  for (const { opId, kind, number } of await saveProgress(sql, clinicId, atMs, { sequences, numbers })) {
    const { envelope } = batch.receipts.find((receipt) => receipt.envelope.op_id === opId)!;
    batch.raise(envelope, { kind, details: number === null ? { sequence: envelope.device_seq } : { number } });
  }
}

/** Reads a number of the first of these series that it belongs to. */
function numbersOf(text: unknown, possible: readonly [Series, ...Series[]]): Omit<UsedNumber, 'opId' | 'device'>[] {
  if (typeof text !== 'string') return [];
  const of = possible.find((each) => parseNumber(each, text) !== null) ?? possible[0];
  return [{ of, number: text, code: null, count: null, ...parseNumber(of, text) }];
}

/** Returns the numbers in a payload. */
function numbersIn(payload: unknown): Omit<UsedNumber, 'opId' | 'device'>[] {
  const { number, invoice, credit_note_number } = payload as {
    number?: unknown;
    invoice?: { invoice_number?: unknown };
    credit_note_number?: unknown;
  };
  return [
    ...numbersOf(number, ['treatment']),
    ...numbersOf(invoice?.invoice_number, ['invoice', 'full_invoice']),
    ...numbersOf(credit_note_number, ['credit_note', 'full_credit_note']),
  ];
}
