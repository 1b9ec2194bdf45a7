/** A purchase order as sent to the vendor: rows of a printed document, and the same rows as plain text. */
import { minorFromWire } from '../../../../domain/money.ts';
import type { PrintedRow } from '../../../../domain/printed-row.ts';
import type { ClinicSettings } from '../../../../domain/settings/settings.ts';
import type { PurchaseOrderResource } from '../../../../domain/stock/resources.ts';

/** Translated labels and formatters of the document. Amounts are minor units, instants ISO 8601. */
export interface DocumentLabels {
  order: string;
  date: string;
  vendor: string;
  contact: string;
  each: (cost: string) => string;
  total: string;
  notes: string;
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
  return [
    { style: 'title', left: practice_name },
    ...sender,
    { style: 'rule' },
    { style: 'pair', left: labels.order, right: po_number },
    { style: 'pair', left: labels.date, right: labels.day(created_at) },
    { style: 'pair', left: labels.vendor, right: vendor },
    ...(vendor_contact ? [{ style: 'pair', left: labels.contact, right: vendor_contact } satisfies PrintedRow] : []),
    { style: 'rule' },
    ...items.flatMap(({ name, unit, quantity, unit_cost, total: lineTotal }): PrintedRow[] => [
      {
        style: 'item',
        left: `${labels.quantity(quantity, unit)} · ${name}`,
        right: labels.amount(minorFromWire(lineTotal)),
      },
      { style: 'small', left: labels.each(labels.amount(minorFromWire(unit_cost))) },
    ]),
    { style: 'rule' },
    { style: 'total', left: labels.total, right: labels.amount(minorFromWire(total)) },
    ...(notes
      ? ([{ style: 'rule' }, { style: 'text', left: `${labels.notes}: ${notes}` }] satisfies PrintedRow[])
      : []),
  ];
}

export function plainText(rows: readonly PrintedRow[]): string {
  return rows
    .map(({ style, left = '', right }) => (style === 'rule' ? '' : right === undefined ? left : `${left}: ${right}`))
    .join('\n');
}
