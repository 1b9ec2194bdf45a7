/** Patients on the wire, and the treatments that make up their history. */
import { minorToWire } from '../money.ts';
import { statusOf, totals } from '../order/order.ts';
import type { Order } from '../order/order.ts';
import type { OrderStatus } from '../order/vocabulary.ts';

/** `GET /patients` and the change feed. */
export interface PatientResource {
  id: string;
  name: string;
  phone: string;
}

/** One treatment of a patient's history, without its papers. */
export interface PastTreatment {
  id: string;
  number: string;
  status: OrderStatus;
  created_at: string;
  currency: string;
  total: number;
  balance: number;
  /** Its services by name, in their order. */
  services: string[];
}

/** `GET /patients/{id}`: the treatments are a page of them, the latest first. */
export interface PatientHistoryResource extends PatientResource {
  treatments: PastTreatment[];
}

/** The same of a treatment on the server and of one on this device. */
export function pastTreatment(order: Order): PastTreatment {
  const { totalMinor, balanceMinor } = totals(order);
  return {
    id: order.id,
    number: order.number,
    status: statusOf(order),
    created_at: new Date(order.createdAtMs).toISOString(),
    currency: order.currency,
    total: minorToWire(totalMinor),
    balance: minorToWire(balanceMinor),
    services: order.lines.map(({ name }) => name),
  };
}
