/** Finds who receives the full invoices of a patient, from what this device has. */
import type { Invoice, Order } from '#domain/order/order.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { blankRecipient } from '#domain/tax/recipient.ts';
import type { ClinicDatabase } from '../database.ts';

type Invoiced = Pick<Order, 'patientId' | 'customerName' | 'invoices'>;

/** The payer of a collective invoice is no recipient of the patient's own. */
const isOwn = ({ recipient, part_of }: Invoice): boolean => recipient !== undefined && part_of === undefined;

/**
 * Returns what the treatment's last full invoice said, or what is known with the patient, or else the name alone. What is
 * known may be a part. Nothing is known of an erased patient.
 */
export async function knownRecipient(db: ClinicDatabase, order: Invoiced): Promise<Recipient> {
  const { patientId, customerName } = order;
  const own = order.invoices.findLast(isOwn)?.recipient;
  if (own) return own;
  const [patient, details] =
    patientId === null ? [] : await Promise.all([db.patients.get(patientId), db.patient_details.get(patientId)]);
  const nobody = { ...blankRecipient, name: customerName };
  const known = patient?.erased_at === undefined ? details?.recipient : undefined;
  return known ? { ...known, name: known.name || customerName } : nobody;
}
