/**
 * A patient's file: all that the clinic knows of one patient, as JSON that a person can read. It is written in parts, so
 * that a patient of many years neither fills the memory nor holds the event loop.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import { orderAggregate } from '#domain/order/operations.ts';
import { orderResource } from '#domain/order/to-resource.ts';
import type { Order } from '#domain/order/order.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import { isoOf } from '#domain/instant.ts';
import { entriesAbout } from '../audit/service.ts';
import type { SubjectEntry } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { loadOrders, treatmentIdsOf } from '../orders/service.ts';
import { refusedOf } from './erasure-service.ts';
import { erasureOf } from './erasure-store.ts';
import { patientRecord } from './store.ts';

/** Treatments that are read at once. Some have a hundred times the bytes of others. */
const firstTreatments = 5;
const mostTreatments = 25;
const enoughLetters = 2_000_000;
/** More than a patient of fifty years has. */
const maxChanges = 20_000;

/** Yields the file. The patient exists. */
export async function* patientFile(
  pool: Pool,
  { clinicId, id, atMs }: { clinicId: number; id: string; atMs: number },
): AsyncGenerator<string> {
  const { practice_name, address, phone, email } = await clinicSettings(pool, clinicId);
  const head = {
    exported_at: isoOf(atMs),
    clinic: { practice_name, address, phone, email },
    patient: { ...(await patientRecord(pool, clinicId, id)), erasure: await erasureOf(pool, clinicId, id) },
  };
  yield `${indented(head).slice(0, -2)},\n`;

  const ids = (await treatmentIdsOf(pool, clinicId, [id])).map((treatment) => treatment.id);
  const subjects = ids.map(orderAggregate);
  const record = `patient:${id}`;
  const changes = new Map<string, SubjectEntry[]>([record, ...subjects].map((subject) => [subject, []]));
  for (const entry of await entriesAbout(pool, clinicId, { subjects: [...changes.keys()], limit: maxChanges }))
    changes.get(entry.subject)!.push(entry);
  yield `"changes_of_the_record": ${indented(changes.get(record)!.map(changeOf))},\n"treatments": [`;
  let separator = '';
  for (let next = 0, length = 0; next < ids.length;) {
    // As many as have some megabytes, by what the earlier ones have.
    const fitting = next === 0 ? firstTreatments : Math.floor((enoughLetters * next) / length);
    const page = ids.slice(next, next + Math.min(mostTreatments, Math.max(1, fitting)));
    const orders = await loadOrders(pool, clinicId, page);
    for (const treatmentId of page) {
      const order = orders.get(treatmentId);
      const text = order ? indented(treatmentOf(order, changes.get(orderAggregate(treatmentId))!)) : '';
      if (text !== '') yield `${separator}${text}`;
      if (text !== '') separator = ',\n';
      length += text.length + 1;
      await nextTurn();
    }
    next += page.length;
  }
  yield `],\n"work_that_was_not_accepted": ${indented(await refusedOf(pool, clinicId, id))}\n}\n`;
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2);

const changeOf = ({ at, action, person, device }: SubjectEntry) => ({ at, action, person, device });

/** Returns a treatment with its documents as lines of text: also those of an erased patient, which the law keeps. */
function treatmentOf(order: Order, changes: readonly SubjectEntry[]) {
  const { Invoice: _latest, Receipt: _last, ...resource } = orderResource({ ...order, isErased: undefined });
  return {
    ...resource,
    Payments: resource.Payments.map(({ credit_note, ...payment }) => ({
      ...payment,
      credit_note: credit_note && { ...credit_note, printed: linesOf(credit_note.printed) },
    })),
    Cancels: resource.Cancels.map(({ correction, ...cancel }) => ({
      ...cancel,
      ...(correction && {
        correction: {
          ...correction,
          credit_note: { ...correction.credit_note, printed: linesOf(correction.credit_note.printed) },
        },
      }),
    })),
    Invoices: resource.Invoices.map((invoice) => ({ ...invoice, printed: linesOf(invoice.printed) })),
    changes: changes.map(changeOf),
  };
}

const linesOf = (rows: readonly PrintedRow[]): string[] =>
  rows
    .filter(({ style }) => style !== 'head')
    .map(({ left = '', right }) => (right === undefined ? left : `${left}  ${right}`));
