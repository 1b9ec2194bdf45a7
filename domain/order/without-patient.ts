/** The treatment for roles that may not read patients: everything that is prepared and due, and nobody's name. */
import type { CancelResource, OrderResource, PaymentResource } from './resource.ts';

/** Notes stay: they say what to prepare. Documents keep their number and lines, so that no line is billed twice. */
export function withoutPatient(order: OrderResource): OrderResource {
  const invoices = order.Invoices.map((invoice) => ({ ...invoice, notes: undefined, printed: [] }));
  return {
    ...order,
    customer_name: '',
    patient_id: null,
    Payments: order.Payments.map(paymentWithoutPatient),
    Cancels: order.Cancels.map(cancelWithoutPatient),
    Invoices: invoices,
    Invoice: invoices.at(-1) ?? null,
  };
}

export function paymentWithoutPatient(payment: PaymentResource): PaymentResource {
  const { credit_note: note } = payment;
  return { ...payment, reference_number: '', credit_note: note && { ...note, printed: [] } };
}

function cancelWithoutPatient(cancel: CancelResource): CancelResource {
  const { correction } = cancel;
  if (!correction) return cancel;
  return { ...cancel, correction: { ...correction, credit_note: { ...correction.credit_note, printed: [] } } };
}
