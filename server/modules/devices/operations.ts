import { noNumbersUsed, parseNumber, series } from '../../../domain/order/numbers.ts';
import type { Series } from '../../../domain/order/numbers.ts';
import type { Sql } from '../../db/sql.ts';
import type { BatchWriter } from '../../operations/operation-module.ts';
import type { NewReceipt } from '../../operations/receipts.ts';
import { lockDevices, saveProgress } from './progress-store.ts';
import type { CodeCounters } from './progress-store.ts';

/**
 * Records the progress of the devices of a batch. It stands early in the list of modules, because it locks the device's
 * row: of two storages that share one device's numbers, the second then finds what the first has written.
 */
export const deviceWriter: BatchWriter = {
  write: (sql, { clinicId, receivedAtMs }, { receipts }) => recordProgress(sql, clinicId, receivedAtMs, receipts),
};

/** SYNC-12: records how far each device has counted, so that a device which lost its storage is noticed. */
async function recordProgress(
  sql: Sql,
  clinicId: number,
  atMs: number,
  receipts: readonly NewReceipt[],
): Promise<void> {
  const lastSeq = new Map<number, number>();
  const counters = new Map<string, CodeCounters>();
  for (const { envelope } of receipts) {
    const { device_id: device, device_seq, payload } = envelope;
    if (device === null) continue;
    lastSeq.set(device, Math.max(lastSeq.get(device) ?? 0, device_seq));
    for (const { of, code, count } of numbersIn(payload)) {
      const key = `${device} ${code}`;
      const before = counters.get(key) ?? { code, device, ...noNumbersUsed };
      counters.set(key, { ...before, [of]: Math.max(before[of], count) });
    }
  }
  if (lastSeq.size === 0) return;
  // An update of several rows locks them in no certain order.
  if (lastSeq.size > 1) await lockDevices(sql, clinicId, [...lastSeq.keys()]);
  const seqs = [...lastSeq].map(([id, seq]) => ({ id, seq }));
  await saveProgress(sql, clinicId, atMs, { seqs, counters: [...counters.values()] });
}

function numbersIn(payload: unknown): { of: Series; code: string; count: number }[] {
  const { number, invoice, credit_note_number } = payload as {
    number?: unknown;
    invoice?: { invoice_number?: unknown };
    credit_note_number?: unknown;
  };
  const texts: Record<Series, unknown> = {
    treatment: number,
    invoice: invoice?.invoice_number,
    credit_note: credit_note_number,
  };
  return series.flatMap((of) => {
    const text = texts[of];
    const parsed = typeof text === 'string' ? parseNumber(of, text) : null;
    return parsed && parsed.count <= 2_147_483_647 ? [{ of, ...parsed }] : [];
  });
}
