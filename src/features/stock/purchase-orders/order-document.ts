/** A purchase order as sent to the vendor: rows of a printed document, and the same rows as plain text. */
import { minorFromWire } from '#domain/money.ts';
import { inPart } from '#domain/printed-row.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';

/** Translated labels and formatters of the document. Amounts are minor units, instants ISO 8601. */
export interface DocumentLabels {
  title: string;
  order: string;
  date: string;
  vendor: string;
  contact: string;
  each: (cost: string) => string;
  total: string;
  notes: string;
  columns: { item: string; quantity: string; cost: string; amount: string };
  amount: (minor: number) => string;
  day: (instant: string) => string;
  quantity: (quantity: number, unit: string) => string;
}

type Sender = Pick<ClinicSettings, 'practice_name' | 'address' | 'phone' | 'email'>;

export function orderRows(
  order: PurchaseOrderResource,
  { practice_name, address, phone, email }: Sender,
  labels: DocumentLabels,
): PrintedRow[] {
  const { po_number, vendor, vendor_contact, created_at, items, total, notes } = order;
  const sender = [address, phone, email]
    .filter((text) => text !== '')
    .map((text): PrintedRow => ({ style: 'small', left: text }));
  const lines = items.flatMap(({ name, unit, quantity, unit_cost, total: lineTotal }): PrintedRow[] => {
    const count = labels.quantity(quantity, unit);
    const cost = labels.amount(minorFromWire(unit_cost));
    const amount = labels.amount(minorFromWire(lineTotal));
    return [
      { style: 'item', left: `${count} · ${name}`, right: amount, cells: [name, count, cost, amount] },
      { style: 'small', left: labels.each(cost) },
    ];
  });
  const { columns } = labels;
  return [
    ...inPart('practice', [{ style: 'title', left: practice_name }, ...sender]),
    { style: 'rule' },
    { style: 'title', left: labels.title, part: 'title' },
    ...inPart('facts', [
      { style: 'pair', left: labels.order, right: po_number },
      { style: 'pair', left: labels.date, right: labels.day(created_at) },
    ]),
    ...inPart('recipient', [
      { style: 'pair', left: labels.vendor, right: vendor },
      ...(vendor_contact ? [{ style: 'pair', left: labels.contact, right: vendor_contact } satisfies PrintedRow] : []),
    ]),
    { style: 'rule' },
    ...inPart('table', [
      { style: 'head', cells: [columns.item, columns.quantity, columns.cost, columns.amount] },
      ...lines,
    ]),
    { style: 'rule' },
    { style: 'total', left: labels.total, right: labels.amount(minorFromWire(total)), part: 'sums' },
    ...(notes
      ? ([
          { style: 'rule' },
          { style: 'text', left: `${labels.notes}: ${notes}`, part: 'notes' },
        ] satisfies PrintedRow[])
      : []),
  ];
}

export function plainText(rows: readonly PrintedRow[]): string {
  return rows
    .filter(({ style }) => style !== 'head')
    .map(({ style, left = '', right }) => (style === 'rule' ? '' : right === undefined ? left : `${left}: ${right}`))
    .join('\n');
}
