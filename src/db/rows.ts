/**
 * The rows that screens read: the facts, together with the derived fields that indexes and lists need. Every writer of such
 * a row builds it here, so that a derived field never disagrees with its facts.
 */
import { statusOf, totals } from '#domain/order/totals.ts';
import type { Order } from '#domain/order/order.ts';
import type { PatientDetailsResource, PatientResource } from '#domain/patient/resources.ts';
import { detailsKeys, patientKeys } from '#domain/patient/search.ts';
import { stockState } from '#domain/stock/ledger.ts';
import type { CatalogueItem, OrderRow, PatientDetailsRow, PatientRow } from './database.ts';

export function orderRow(order: Order, unsent: 0 | 1): OrderRow {
  const { subtotalMinor: _subtotalMinor, ...derived } = totals(order);
  const facts = [...order.payments, ...order.cancels];
  return {
    ...order,
    status: statusOf(order),
    ...derived,
    unsent,
    updatedAtMs: facts.reduce((latest, { atMs }) => Math.max(latest, atMs), order.createdAtMs),
  };
}

/** Returns the facts of a row without the derived fields. */
export function orderOf(row: OrderRow): Order {
  const {
    status: _status,
    totalMinor: _totalMinor,
    reductionMinor: _reductionMinor,
    owedMinor: _owedMinor,
    paidMinor: _paidMinor,
    balanceMinor: _balanceMinor,
    unsent: _unsent,
    updatedAtMs: _updatedAtMs,
    ...order
  } = row;
  return order;
}

/** The keys of the catalogue. */
export const stockKey = (stockId: number): string => `s${stockId}`;
export const productKey = (productId: number): string => `p${productId}`;

/** Returns a stock item with this quantity (thousandths) and the shortage that follows from it. */
export function withQuantity(item: CatalogueItem, quantityMilli: number): CatalogueItem {
  const { shortage: _shortage, ...rest } = item;
  const state = stockState(quantityMilli, item.low_stock_threshold_milli ?? 0);
  return { ...rest, quantity_milli: quantityMilli, ...(state !== 'in_stock' && { shortage: state }) };
}

export const patientRow = (patient: PatientResource): PatientRow => ({ ...patient, keys: patientKeys(patient) });

export const detailsRow = (details: PatientDetailsResource): PatientDetailsRow => ({
  ...details,
  keys: detailsKeys(details),
});
