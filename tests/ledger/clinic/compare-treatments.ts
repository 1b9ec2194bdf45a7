/** Compares every treatment with what the API shows and the database stores of it. */
import { cents, groups, proportion } from '../integers.ts';
import { flags } from '../treatment.ts';
import type { Treatment } from '../treatment.ts';
import { ofKind } from '../wire.ts';
import type { LedgerClinic } from './clinic.ts';
import { differences, sorted } from './differences.ts';

interface OrderReply {
  number: string;
  status: string;
  subtotal: number;
  discount: number;
  agreed_discount: number;
  service_charge: number;
  price: number;
  reduction: number;
  owed: number;
  paid: number;
  balance: number;
  OrderItems: { id: string; quantity: number; price: number; total: number }[];
  RemovedItems: { id: string }[];
  Payments: {
    id: string;
    method: string;
    amount: number;
    refunded_lines?: { line_id: string; amount: number }[];
    reduction: number;
    still_owed: boolean;
    created_at: string;
  }[];
  Invoices: { invoice_number: string; total_amount: number }[];
}

/** What was named for lines, as text, in the order of the lines. */
const named = (lines: readonly { line_id: string; amount: number }[] = []): string =>
  lines
    .map(({ line_id, amount }) => `${line_id} ${cents(amount)}`)
    .toSorted()
    .join(', ');

function expectedMoney({ entries }: Treatment): string[] {
  const paid = ofKind(entries, 'order.pay').map(
    ({ atMs, payload: { payment_id, payment_method, amount } }) =>
      `${payment_id} ${payment_method} ${cents(amount)} lowers 0 at ${atMs}`,
  );
  const refunded = ofKind(entries, 'order.refund').map(
    ({ atMs, payload: { refund_id, payment_method, amount, lines, reduction, still_owed } }) =>
      `${refund_id} ${payment_method} ${-cents(amount)} lowers ${cents(reduction)} at ${atMs} ${named(lines)}${still_owed ? ' still owed' : ''}`,
  );
  return sorted([...paid, ...refunded].map((text) => text.trim()));
}

const expectedOrder = (treatment: Treatment) => ({
  status: treatment.status,
  subtotal: treatment.subtotal,
  discount: treatment.discount,
  agreed: treatment.agreedDiscount,
  charge: treatment.charge,
  total: treatment.total,
  reduction: treatment.reduction,
  owed: treatment.owed,
  paid: treatment.paid,
  balance: treatment.balance,
  lines: sorted(treatment.lines.map(({ lineId, worth }) => `${lineId} ${worth}`)),
  removed: sorted(treatment.allLines.flatMap(({ lineId, stands }) => (stands ? [] : lineId))),
  money: expectedMoney(treatment),
  invoices: sorted(
    treatment.documents.flatMap(({ of, number, total }) => (of === 'invoice' ? `${number} ${total}` : [])),
  ),
});

const shownOrder = (order: OrderReply): ReturnType<typeof expectedOrder> => ({
  status: order.status as Treatment['status'],
  subtotal: cents(order.subtotal),
  discount: cents(order.discount),
  agreed: cents(order.agreed_discount),
  charge: cents(order.service_charge),
  total: cents(order.price),
  reduction: cents(order.reduction),
  owed: cents(order.owed),
  paid: cents(order.paid),
  balance: cents(order.balance),
  lines: sorted(order.OrderItems.map(({ id, total }) => `${id} ${cents(total)}`)),
  removed: sorted(order.RemovedItems.map(({ id }) => id)),
  money: sorted(
    order.Payments.map(({ id, method, amount, refunded_lines, reduction, still_owed, created_at }) =>
      `${id} ${method} ${cents(amount)} lowers ${cents(reduction)} at ${Date.parse(created_at)} ${named(refunded_lines)}${still_owed ? ' still owed' : ''}`.trim(),
    ),
  ),
  invoices: sorted(
    order.Invoices.map(({ invoice_number, total_amount }) => `${invoice_number} ${cents(total_amount)}`),
  ),
});

export async function compareTreatments(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, treatment] of treatments.entries()) {
    const { data } = await clinic.ask<OrderReply>('GET', `/orders/${treatment.id}`);
    faults.push(...differences(treatment.number, shownOrder(data), expectedOrder(treatment)));
    if (index % 3 !== 0) continue;
    const summary = await clinic.ask<{ total: number; paid: number; balance: number }>(
      'GET',
      `/orders/${treatment.id}/payment-summary`,
    );
    const { total, paid, balance } = summary.data;
    const { total: price, paid: net, balance: due } = treatment;
    const shown = { total: cents(total), paid: cents(paid), balance: cents(balance) };
    faults.push(...differences(`the summary of ${treatment.number}`, shown, { total: price, paid: net, balance: due }));
  }
  return [...faults, ...(await compareRows(clinic, treatments))];
}

interface OrderRow {
  id: string;
  status: string;
  total_minor: string;
  reduction_minor: string;
  paid_minor: string;
  balance_minor: string;
}

/** Compares what the API does not show: what each line earns, what is stored for reports, and what a manager is told. */
async function compareRows(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  const [orders, lines, attention] = [
    await clinic.rows<OrderRow>(
      'select id, status, total_minor, reduction_minor, paid_minor, balance_minor from orders where clinic_id = $1',
    ),
    await clinic.rows<{
      order_id: string;
      id: string;
      earned_minor: string;
      removed: boolean;
      quantity_milli: string;
      unit_price_minor: string;
    }>(
      'select order_id, id, earned_minor, removed, quantity_milli, unit_price_minor from order_lines where clinic_id = $1',
    ),
    await clinic.rows<{ kind: string; order_id: string }>(
      'select kind, order_id from attention_items where clinic_id = $1 and settled_at is null and order_id is not null and kind = any($2)',
      [flags],
    ),
  ];
  const orderOf = new Map(orders.map((row) => [row.id, row]));
  const linesOf = groups(lines, ({ order_id }) => order_id);
  const flagsOf = groups(attention, ({ order_id }) => order_id);
  const faults = treatments.flatMap((treatment) => {
    const { id, number, status, total, reduction, paid, balance } = treatment;
    const row = orderOf.get(id);
    if (!row) return `${number} is missing`;
    const stored = {
      money: [row.status, row.total_minor, row.reduction_minor, row.paid_minor, row.balance_minor].join(' '),
      earned: sorted(
        (linesOf.get(id) ?? []).flatMap((line) => (line.removed ? [] : `${line.id} ${line.earned_minor}`)),
      ),
      worth: sorted(
        (linesOf.get(id) ?? []).map((line) =>
          proportion(Number(line.quantity_milli), Number(line.unit_price_minor), 1000),
        ),
      ),
      flags: sorted((flagsOf.get(id) ?? []).map(({ kind }) => kind)),
    };
    const expected = {
      money: [status, total, reduction, paid, balance].join(' '),
      earned: sorted(treatment.lines.map(({ lineId, earned }) => `${lineId} ${earned}`)),
      worth: sorted(treatment.allLines.map(({ worth }) => worth)),
      flags: sorted(treatment.flags),
    };
    return differences(`the row of ${number}`, stored, expected);
  });
  return orders.length === treatments.length
    ? faults
    : [...faults, `there are ${orders.length} treatments, expected ${treatments.length}`];
}
