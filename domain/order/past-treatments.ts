/** A patient with past treatments on the wire. */
import { isoOf } from '../instant.ts';
import { minorToWire } from '../money.ts';
import type { FullPatientResource } from '../patient/resources.ts';
import { statusOf, totals } from './totals.ts';
import type { Order } from './order.ts';
import type { OrderStatus } from './vocabulary.ts';

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
export interface PatientHistoryResource extends FullPatientResource {
  treatments: PastTreatment[];
}

export function pastTreatment(order: Order): PastTreatment {
  const { totalMinor, owedMinor, balanceMinor } = totals(order);
  return {
    id: order.id,
    number: order.number,
    status: statusOf(order),
    created_at: isoOf(order.createdAtMs),
    currency: order.currency,
    total: minorToWire(totalMinor),
    owed: minorToWire(owedMinor),
    balance: minorToWire(balanceMinor),
    services: order.lines.map(({ name }) => name),
  };
}
