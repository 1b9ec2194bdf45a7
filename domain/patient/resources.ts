/** Patients on the wire, and their past treatments. */
import { minorToWire } from '../money.ts';
import { statusOf, totals } from '../order/totals.ts';
import type { Order } from '../order/order.ts';
import type { Recipient } from '../order/tax-document.ts';
import type { OrderStatus } from '../order/vocabulary.ts';

/** `GET /patients` and the change feed. */
export interface PatientResource {
  id: string;
  name: string;
  phone: string;
  /** Who received the last full invoice of one of the patient's treatments. */
  recipient?: Recipient;
  /** When the patient was erased (ISO 8601); name and phone are then empty. Absent for others. */
  erased_at?: string;
}

/** A treatment in a patient's history. */
export interface PastTreatment {
  id: string;
  number: string;
  status: OrderStatus;
  created_at: string;
  currency: string;
  total: number;
  /** The total less what refunds took off it. */
  owed: number;
  balance: number;
  /** The names of its services. */
  services: string[];
}

/** `GET /patients/{id}`: one page of treatments, newest first. */
export interface PatientHistoryResource extends PatientResource {
  treatments: PastTreatment[];
}

export function pastTreatment(order: Order): PastTreatment {
  const { totalMinor, owedMinor, balanceMinor } = totals(order);
  return {
    id: order.id,
    number: order.number,
    status: statusOf(order),
    created_at: new Date(order.createdAtMs).toISOString(),
    currency: order.currency,
    total: minorToWire(totalMinor),
    owed: minorToWire(owedMinor),
    balance: minorToWire(balanceMinor),
    services: order.lines.map(({ name }) => name),
  };
}
