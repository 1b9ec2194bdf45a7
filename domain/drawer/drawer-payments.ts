/**
 * What a treatment brings into drawers: its payments and refunds, and the documents that none of them issued, with the
 * discounts and taxes that they state. Server and tablet run the same function over a treatment's facts.
 */
import type { Invoice, Order } from '../order/order.ts';
import { countedCancels } from '../order/tax-totals.ts';
import { discountEffects } from './discount-effects.ts';
import type { BilledDiscount } from './discount-effects.ts';
import type { DrawerPayment } from './report.ts';

/** What drawers need of a treatment. */
export type PaidOrder = BilledDiscount & Pick<Order, 'id' | 'currency'>;

export function drawerPayments(order: PaidOrder): DrawerPayment[] {
  const { id: orderId, currency, payments, invoices } = order;
  const discounts = discountEffects(order);
  const paid = payments.map(({ opId, method, amountMinor, atMs, deviceId, creditNote }): DrawerPayment => {
    const invoice = invoices.find(({ op_id }) => op_id === opId);
    const taxTotals = invoice?.tax_totals ?? creditNote?.tax_totals;
    return {
      orderId,
      currency,
      method,
      amountMinor,
      atMs,
      deviceId,
      invoiceNumber: invoice?.invoice_number ?? null,
      discountMinor: discounts.get(opId) ?? 0,
      ...(taxTotals && { taxTotals }),
    };
  });
  const alone = documentsWithoutPayment(order).map(({ opId, ...document }): DrawerPayment => ({
    orderId,
    currency,
    method: 'cash',
    amountMinor: 0,
    withoutMoney: true,
    discountMinor: discounts.get(opId) ?? 0,
    ...document,
  }));
  return [...paid, ...alone];
}

type LoneDocument = Pick<DrawerPayment, 'atMs' | 'deviceId' | 'invoiceNumber' | 'taxTotals' | 'isPart'> & {
  opId: string;
};

function documentsWithoutPayment(order: PaidOrder): LoneDocument[] {
  const issued = order.invoices.flatMap((invoice): LoneDocument[] =>
    invoice.device_id === undefined
      ? []
      : [
          {
            opId: invoice.op_id,
            atMs: Date.parse(invoice.issued_at),
            deviceId: invoice.device_id,
            invoiceNumber: invoice.invoice_number,
            ...(invoice.part_of && { isPart: true as const }),
            taxTotals: isExchange(invoice) ? [] : invoice.tax_totals,
          },
        ],
  );
  const corrections = countedCancels(order).map(
    ({ opId, atMs, correction: { deviceId, creditNote } }): LoneDocument => ({
      opId,
      atMs,
      deviceId,
      invoiceNumber: null,
      taxTotals: creditNote.tax_totals,
    }),
  );
  return [...issued, ...corrections];
}

/** An exchange states again what the simplified invoice has stated. */
const isExchange = ({ document_type }: Invoice): boolean => document_type === 'F3';
