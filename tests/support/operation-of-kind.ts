/** Makes a valid operation of any kind. */
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { patientAggregate } from '#domain/patient/operations.ts';
import type { AnyOperation, OperationKind } from '#domain/protocol/operations.ts';
import { line } from './device.ts';
import { newId } from './unique.ts';
import type { TestDevice } from './device.ts';
import { chainOf, someDocument } from './verifactu/records.ts';

/** Rows that exist at the server. */
export interface Targets {
  /** The operation that created a treatment. */
  created: AnyOperation;
  /** An open drawer. */
  drawerId: string;
  stockId: number;
}

/** Returns an operation that is applied if its author may do it. */
export function operationOf(
  author: TestDevice,
  kind: OperationKind,
  { created, drawerId, stockId }: Targets,
): AnyOperation {
  const { order_id } = created.payload as { order_id: string };
  switch (kind) {
    case 'order.create':
      return author.create([line({ stock_id: stockId })]);
    case 'order.add_services':
      return author.operation(kind, { order_id, items: [line({ stock_id: stockId })] });
    case 'order.change':
      return author.operation(kind, { order_id, room_id: null });
    case 'order.cancel':
      return author.operation(kind, { order_id, status: 'cancelled' });
    case 'order.pay':
      return author.pay(created, 10);
    case 'order.refund':
      return author.operation(kind, {
        order_id,
        refund_id: newId(),
        payment_method: 'cash',
        amount: 5,
        reason: 'asked for by the patient',
        reduction: 5,
        credit_note_number: author.number('credit_note'),
      });
    case 'order.invoice':
      return author.operation(kind, {
        order_id,
        invoice: {
          invoice_id: newId(),
          invoice_number: author.number('invoice'),
          issued_at: new Date().toISOString(),
          currency: 'EUR',
          subtotal: 60,
          discount_amount: 0,
          service_charge_amount: 0,
          service_charge_percentage: 0,
          total_amount: 60,
          line_ids: [],
          language: 'en',
          printed: [],
          document_type: 'F2',
          tax_totals: [{ exempt: 'E1', base: 60, tax: 0, gross: 60 }],
        },
      });
    case 'stock.adjust':
      return author.operation(kind, { stock_id: stockId, action: 'add', amount: 5 });
    case 'drawer.open':
      return author.operation(kind, { drawer_id: newId(), currency: 'EUR', float: 20 });
    case 'drawer.move':
      return author.operation(kind, { drawer_id: drawerId, direction: 'out', amount: 5, reason: 'for the bank' });
    case 'drawer.close': {
      const counted = { cash: 50, card: 0, insurance: 0, others: 0 };
      return author.operation(kind, { drawer_id: drawerId, counted });
    }
    case 'fiscal.record': {
      const { code: chain } = author.info;
      const [record] = chainOf([someDocument({ number: `INV-${chain}-000001` })], { chain });
      return author.operation(kind, record!, { aggregate: chainAggregate(chain) });
    }
    case 'patient.update': {
      const patient = { patient_id: newId(), name: 'Ana Ruiz' };
      const payload = { patient, email: 'ana@example.com', notes: 'Calls first', recipient: null };
      return author.operation(kind, payload, { aggregate: patientAggregate(patient.patient_id) });
    }
    case 'operation.void': {
      const payload = { op_id: newId(), reason: 'never to be sent' };
      return author.operation(kind, payload, { aggregate: `order:${order_id}`, supersedes: payload.op_id });
    }
  }
}
