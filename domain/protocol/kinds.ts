/** What the audit log says of each kind of operation. A kind without an entry here does not compile. */
import type { AuditAction } from '../audit/actions.ts';
import { operationKinds } from './operations.ts';
import type { OperationKind } from './operations.ts';

/**
 * `receipt`: the log reads the kind from the receipts of applied operations, so that no sale is written twice and the two
 * records can't disagree; the action has the name of the kind. `{ writes }`: the kind's module writes the action, because
 * the receipt says too little, or too much. Null: somebody reads of it with another kind.
 */
type Audited<Kind> = (Kind extends AuditAction ? 'receipt' : never) | { writes: AuditAction } | null;

export const kindAudits = {
  'order.create': 'receipt',
  'order.add_services': 'receipt',
  'order.change': 'receipt',
  'order.cancel': 'receipt',
  'order.pay': 'receipt',
  'order.refund': 'receipt',
  'order.invoice': 'receipt',
  'stock.adjust': 'receipt',
  'drawer.open': { writes: 'drawer.opened' },
  'drawer.move': { writes: 'drawer.moved' },
  'drawer.close': { writes: 'drawer.closed' },
  // The receipt names the patient.
  'patient.update': { writes: 'patient.changed' },
  // What was voided is in the receipt of another operation.
  'operation.void': { writes: 'operation.voided' },
  // It comes with the operation that issues its document.
  'fiscal.record': null,
} as const satisfies { [Kind in OperationKind]: Audited<Kind> };

type ReceiptKind = {
  [Kind in OperationKind]: (typeof kindAudits)[Kind] extends 'receipt' ? Kind : never;
}[OperationKind];

/** The kinds that the audit log reads from receipts; the partial index of the receipts names the same. */
export const receiptKinds = operationKinds.filter((kind): kind is ReceiptKind => kindAudits[kind] === 'receipt');

/** SQL: these kinds in a list. */
export const receiptKindList = receiptKinds
  .map((kind) => `'${kind}'`)
  .sort()
  .join(', ');
