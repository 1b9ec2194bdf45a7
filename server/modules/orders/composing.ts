/** What the server provides for `domain/order/compose.ts`: treatments, and its own documents with numbers of its series. */
import { languages } from '#domain/language.ts';
import type { Language } from '#domain/language.ts';
import type { Composed } from '#domain/order/compose.ts';
import type { IssueContext } from '#domain/order/compose-documents.ts';
import type { Order } from '#domain/order/order.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { WriteContext } from '#server/context.ts';
import { documentLabelsIn } from '#server/translations.ts';
import { nextServerNumber } from '../devices/service.ts';
import { loadOrders } from './store.ts';

/**
 * Returns the context of a document that no counter prints. It is in the language of the treatment's last document, which a
 * person at a counter chose for the patient, or else in the clinic's.
 */
export function issueContext(
  { atMs, newId }: Pick<WriteContext, 'atMs' | 'newId'>,
  settings: ClinicSettings,
  order?: Pick<Order, 'invoices'>,
): IssueContext {
  const language = chosenLanguage(order) ?? settings.default_language;
  return { settings, language, labels: documentLabelsIn(language), cashierName: '', atMs, newId };
}

const chosenLanguage = (order: Pick<Order, 'invoices'> | undefined): Language | undefined => {
  const last = order?.invoices.findLast(({ part_of }) => part_of === undefined)?.language;
  return languages.find((each) => each === last);
};

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
