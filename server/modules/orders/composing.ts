/** What the server brings to `domain/order/compose.ts`: treatments, and documents of its own with numbers of its own series. */
import type { Composed } from '../../../domain/order/compose.ts';
import type { IssueContext } from '../../../domain/order/compose-documents.ts';
import type { Order } from '../../../domain/order/order.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { WriteContext } from '../../context.ts';
import { documentLabels, documentLanguage } from '../../translations.ts';
import { nextServerNumber } from '../devices/service.ts';
import { loadOrders } from './store.ts';

/** Returns the context of a document that no counter prints. */
export const issueContext = ({ atMs, newId }: WriteContext, settings: ClinicSettings): IssueContext => ({
  settings,
  language: documentLanguage,
  labels: documentLabels,
  cashierName: '',
  atMs,
  newId,
});

export async function requestedOrder({ sql, clinicId }: WriteContext, orderId: string): Promise<Result<Order>> {
  const order = (await loadOrders(sql, clinicId, [orderId])).get(orderId);
  return order ? accept(order) : refuse('ORDER_NOT_FOUND');
}

/** Returns a composed payload with the server's next number, if it needs one that the request has not stated. */
export async function numbered<Payload>(
  context: WriteContext,
  settings: ClinicSettings,
  composed: Result<Composed<Payload>>,
  number?: string,
): Promise<Result<Payload>> {
  if (!composed.ok) return composed;
  const { series, payload } = composed.value;
  return accept(series === null ? payload : payload(number ?? (await nextServerNumber(context, settings, series))));
}
