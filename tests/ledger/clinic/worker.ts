/** What the people of the clinic do, at a tablet and at the desk alike. Money is cents. */
import type { Treatment } from '../treatment.ts';
import type { Method, WireLine } from '../wire.ts';
import type { Service } from './clinic.ts';

export interface Ordered {
  service: Service;
  quantity: number;
}

/** What is agreed with the first services. */
export interface Plan {
  discount: number;
  charge: number;
  type: string;
  customer: string;
}

export interface Payment {
  /** In cash it may exceed the balance. */
  tendered: number;
  method: Method;
  /** Whether the invoice names its recipient. */
  isFull: boolean;
}

export interface GivenBack {
  amount: number;
  /** The services for which it is; none for the treatment as a whole. */
  lineIds: readonly string[];
  isStillOwed: boolean;
  method: Method;
}

type Done = Promise<void> | void;

export interface Worker {
  /** Returns the ids of the newest treatments that the worker knows. */
  newest(count: number): string[];
  /** Returns a treatment as the worker knows it. */
  treatment(id: string): Treatment;
  create(ordered: readonly Ordered[], plan: Plan): Done;
  addServices(known: Treatment, ordered: readonly Ordered[]): Done;
  /** @param quantity null takes the line away */
  change(known: Treatment, lineId: string, quantity: number | null): Done;
  pay(known: Treatment, payment: Payment): Done;
  /** Invoices what is not paid. */
  bill(known: Treatment, isFull: boolean): Done;
  exchange(known: Treatment, number: string): Done;
  refund(known: Treatment, refund: GivenBack): Done;
  cancel(known: Treatment): Done;
}

export const wireLine = (
  { id, name, price, tax }: Service,
  quantity: number,
  lineId: string,
  isTaxed: boolean,
): WireLine => ({ line_id: lineId, product_id: id, name, quantity, unit_price: price, ...(isTaxed && { tax }) });

/** Returns a line of a treatment as its operation told it. */
export function lineOnWire({ entries }: Treatment, lineId: string): WireLine {
  const told = entries.flatMap(({ kind, payload }): WireLine[] => {
    if (kind === 'order.create' || kind === 'order.add_services') return payload.items;
    return kind === 'order.change' ? (payload.replaced_items ?? []) : [];
  });
  const { product_id, name, unit_price, quantity, tax } = told.find(({ line_id }) => line_id === lineId)!;
  return { line_id: lineId, product_id: product_id!, name, unit_price, quantity, ...(tax && { tax }) };
}
