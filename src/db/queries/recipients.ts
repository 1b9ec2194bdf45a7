/** Finds who received the full invoices of a patient before, from what this device has. */
import { Dexie } from 'dexie';
import type { Invoice, Order } from '#domain/order/order.ts';
import type { Recipient } from '#domain/tax/document.ts';
import type { ClinicDatabase } from '../database.ts';

type Invoiced = Pick<Order, 'patientId' | 'customerName' | 'invoices'>;

/** The treatments of the patient that are read for an invoice that the server has not told of yet. */
const mostTreatments = 20;

/** The payer of a collective invoice is no recipient of the patient's own. */
const isOwn = ({ recipient, part_of }: Invoice): boolean => recipient !== undefined && part_of === undefined;

const lastRecipient = ({ invoices }: Pick<Order, 'invoices'>): Recipient | undefined =>
  invoices.findLast(isOwn)?.recipient;

/**
 * Returns what the treatment's last full invoice said, or another one of the patient, or else the name alone. Nothing is
 * taken from other treatments of an erased patient.
 */
export async function knownRecipient(db: ClinicDatabase, order: Invoiced): Promise<Recipient> {
  const { patientId, customerName } = order;
  const own = lastRecipient(order);
  if (own) return own;
  const patient = patientId === null ? undefined : await db.patients.get(patientId);
  const nobody = { name: customerName, tax_id: '', address: '', postal_code: '', city: '' };
  if (patientId === null || patient?.erased_at !== undefined) return nobody;
  const treatments = await db.orders
    .where('[patientId+createdAtMs]')
    .between([patientId, Dexie.minKey], [patientId, Dexie.maxKey])
    .reverse()
    .limit(mostTreatments)
    .toArray();
  const here = treatments.flatMap(({ invoices }) => invoices).filter(isOwn);
  const latest = here.sort((a, b) => Date.parse(b.issued_at) - Date.parse(a.issued_at))[0];
  return latest?.recipient ?? patient?.recipient ?? nobody;
}
