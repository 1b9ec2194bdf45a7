/** Checks that every tablet shows the server's state: a pull misses nothing and counts nothing twice. */
import { ledgerOf } from './ledger.ts';
import type { FinalState, TabletState } from './final-state.ts';
import { groupBy, isOutstanding } from './final-state.ts';

export function checkTablets(final: FinalState): string[] {
  const expected = serverOrders(final);
  return final.tablets.flatMap((tablet) => [
    ...checkOrders(expected, tablet),
    ...checkCatalogue(final, tablet),
    ...checkConnection(tablet),
  ]);
}

function serverOrders({ server }: FinalState): Map<string, string> {
  const treatments = ledgerOf(server);
  const linesOf = groupBy(server.lines, ({ order_id }) => order_id);
  const paymentsOf = groupBy(server.payments, ({ order_id }) => order_id);
  const cancelsOf = groupBy(server.cancels, ({ order_id }) => order_id);
  const changesOf = groupBy(server.changes, ({ order_id }) => order_id);
  const invoicesOf = groupBy(server.invoices, ({ order_id }) => order_id);
  return new Map(
    server.orders.map(({ id, number, added_notes }) => {
      const { status, total: totalMinor, paid: paidMinor } = treatments.get(id)!;
      const parts = {
        lines: (linesOf.get(id) ?? []).filter(({ removed }) => !removed).map((line) => line.id),
        payments: (paymentsOf.get(id) ?? []).map((payment) => `${payment.id} ${payment.amount_minor}`),
        cancels: (cancelsOf.get(id) ?? []).map(({ op_id }) => op_id),
        changes: (changesOf.get(id) ?? []).map(({ op_id }) => op_id),
        notes: added_notes.map(({ opId }) => opId),
        invoices: (invoicesOf.get(id) ?? []).map((invoice) => invoice.number),
      };
      return [id, asText({ number, status, totalMinor, paidMinor, ...parts })];
    }),
  );
}

function checkOrders(expected: Map<string, string>, { tablet, orders, replayed }: TabletState): string[] {
  const violations: string[] = [];
  for (const [id, text] of expected) {
    const row = orders.get(id);
    if (!row) violations.push(`${tablet.name} does not have treatment ${id}`);
    if (!row || replayed.has(id)) continue;
    const shown = asText({
      number: row.number,
      status: row.status,
      totalMinor: row.totalMinor,
      paidMinor: row.paidMinor,
      lines: row.lines.map(({ lineId }) => lineId),
      payments: row.payments.map(({ paymentId, amountMinor }) => `${paymentId} ${amountMinor}`),
      cancels: row.cancels.map(({ opId }) => opId),
      changes: row.changes.map(({ opId }) => opId),
      notes: row.addedNotes.map(({ opId }) => opId),
      invoices: row.invoices.map(({ invoice_number }) => invoice_number),
    });
    if (shown !== text) violations.push(`${tablet.name} shows ${shown}, the server has ${text}`);
  }
  for (const id of orders.keys())
    if (!expected.has(id) && !replayed.has(id))
      violations.push(`${tablet.name} shows treatment ${id}, which the server does not have`);
  return violations;
}

interface OrderSummary {
  number: string;
  status: string;
  totalMinor: number;
  paidMinor: number;
  lines: string[];
  payments: string[];
  cancels: string[];
  changes: string[];
  notes: string[];
  invoices: string[];
}

function asText({ lines, payments, cancels, changes, invoices, ...rest }: OrderSummary): string {
  return JSON.stringify({
    ...rest,
    lines: lines.sort(),
    payments: payments.sort(),
    cancels: cancels.sort(),
    changes: changes.sort(),
    invoices: invoices.sort(),
  });
}

function checkCatalogue({ server }: FinalState, { tablet, catalogue, states }: TabletState): string[] {
  const waiting = new Set([...states.values()].filter(isOutstanding).map(({ aggregate }) => aggregate));
  const violations = server.items.flatMap(({ id, quantity_milli, deleted_at }) => {
    const item = catalogue.find(({ key }) => key === `s${id}`);
    if (deleted_at !== null) return item ? `${tablet.name} still offers item ${id}, which is deleted` : [];
    if (!item) return `${tablet.name} does not have item ${id}`;
    if (item.base_quantity_milli !== quantity_milli)
      return `${tablet.name} received quantity ${item.base_quantity_milli} of item ${id}, the server has ${quantity_milli}`;
    return waiting.has(`stock:${id}`) || item.quantity_milli === quantity_milli
      ? []
      : `${tablet.name} shows ${item.quantity_milli} of item ${id}, there are ${quantity_milli}`;
  });
  for (const { id, deleted_at } of server.products) {
    const isOffered = catalogue.some(({ key }) => key === `p${id}`);
    if (isOffered !== (deleted_at === null))
      violations.push(`${tablet.name} ${isOffered ? 'still offers' : 'does not have'} product ${id}`);
  }
  return violations;
}

function checkConnection({ tablet, link }: TabletState): string[] {
  return link === 'online' ? [] : [`${tablet.name} shows that it is ${link}`];
}
