/** One invoice to a payer over several treatments (RD 1619/2012, article 13). */
import { describe, expect, test } from 'vitest';
import { composeCollective } from '#domain/order/compose-collective.ts';
import { composeCancel, composeRefund } from '#domain/order/compose-documents.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import type { LinePayload, OrderOperation } from '#domain/order/operations.ts';
import type { Order } from '#domain/order/order.ts';
import { retentionOf } from '#domain/order/retention.ts';
import { invoicedMinor } from '#domain/order/tax-totals.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { amounts, context, exempt, id, insurer, line, settings } from '../support/taxed-visit.ts';

const brush = { rate: 21 };
const may = (day: number) => Date.parse(`2026-05-${String(day).padStart(2, '0')}T10:00:00Z`);

let ids = 100;
const issue = (more: Partial<ClinicSettings> = {}) => ({
  ...context,
  settings: { ...settings, operation_description: 'Servicios odontológicos', ...more },
  atMs: Date.parse('2026-06-10T10:00:00Z'),
  newId: () => id(++ids),
});

const operation = (kind: string, payload: object): OrderOperation =>
  ({ op_id: id(++ids), device_id: 3, actor_id: 7, kind, payload }) as unknown as OrderOperation;

/** A treatment of Ana Gil. */
function treatment(n: number, items: LinePayload[], { atMs = may(n), discount = 0, currency = 'EUR' } = {}): Order {
  const created = operation('order.create', {
    order_id: id(n),
    number: `T-A7-00000${n}`,
    order_type: 'walk_in',
    customer_name: 'Ana Gil',
    items,
    currency,
    service_charge: 0,
    discount,
    total: 0,
  });
  return reduceOrder(null, created, atMs)!;
}

function collected(orders: readonly Order[], retentionPercentage?: number) {
  const composed = composeCollective(issue(), orders, { recipient: insurer, retentionPercentage });
  if (!composed.ok) throw new Error(composed.refusal.code);
  return composed.value.payload('F-A0-000001');
}

const refusal = (orders: readonly Order[], more: Partial<ClinicSettings> = {}) => {
  const composed = composeCollective(issue(more), orders, { recipient: insurer });
  return composed.ok ? null : composed.refusal;
};

const crown = () => treatment(1, [line(11, 310, exempt), line(12, 40, exempt)]);
const brushes = () => treatment(2, [line(21, 100, exempt), line(22, 6.05, brush, 3)], { discount: 10 });

describe('a collective invoice', () => {
  test('adds up the parts of its treatments, in the order of their days', () => {
    const { document, parts } = collected([brushes(), crown()]);
    // 118.15 less 10: 100 / 118.15 × 10 = 8.46 of the treatment, 1.54 of the brushes; 16.61 / 1.21 = 13.73.
    expect(amounts(document)).toEqual([
      ['E1', 441.54, 0, 441.54],
      ['21 %', 13.73, 2.88, 16.61],
    ]);
    expect(document).toMatchObject({
      document_type: 'F1',
      invoice_number: 'F-A0-000001',
      total_amount: 458.15,
      recipient: insurer,
      operation_on: '2026-05-02',
    });
    expect(document.treatments.map(({ number, day, total_amount }) => [number, day, total_amount])).toEqual([
      ['T-A7-000001', '2026-05-01', 350],
      ['T-A7-000002', '2026-05-02', 108.15],
    ]);
    expect(parts.map(({ invoice }) => [invoice.invoice_number, invoice.part_of, invoice.total_amount])).toEqual([
      ['F-A0-000001', document.invoice_id, 350],
      ['F-A0-000001', document.invoice_id, 108.15],
    ]);
  });

  test('leaves nothing of a treatment to be invoiced again', () => {
    const { parts } = collected([crown()]);
    const after = reduceOrder(crown(), operation('order.invoice', parts[0]!), may(20))!;
    expect(invoicedMinor(after)).toBe(350_00);
    expect(refusal([after])).toEqual({ code: 'NOTHING_TO_INVOICE', details: { number: 'T-A7-000001' } });
  });

  test('tells the payer no name of a patient and of no exempt service, and what the law asks of goods', () => {
    const { document, parts } = collected([crown(), brushes()]);
    const printed = [document, ...parts.map(({ invoice }) => invoice)].map((each) => JSON.stringify(each.printed));
    for (const text of printed) {
      expect(text).not.toContain('Ana Gil');
      expect(text).not.toContain('Service 11');
      expect(text).not.toContain('Service 21');
    }
    expect(printed[0]).toContain('T-A7-000001');
    expect(printed[0]).toContain('Seguros Norte, S.A.');
    expect(printed[0]).toContain('Servicios odontológicos');
    // Its name, and its unit price without tax: 6.05 / 1.21.
    expect(document.printed.find(({ left }) => left?.includes('Service 22'))?.cells).toContain('EUR 5,00');
    // The part at the desk is no invoice: no code leads to the agency.
    expect(parts.every(({ invoice }) => invoice.printed.every(({ style }) => style !== 'qr'))).toBe(true);
  });

  test('carries one code of its whole amount', () => {
    const composed = composeCollective(issue({ verifactu_since: '2026-01-01' }), [crown(), brushes()], {
      recipient: insurer,
    });
    const { document } = composed.ok ? composed.value.payload('F-A0-000001') : { document: null };
    const codes = document!.printed.filter(({ style }) => style === 'qr').map(({ left }) => left);
    expect(codes).toHaveLength(1);
    expect(codes[0]).toContain('importe=458.15');
    const preview = composed.ok ? composed.value.payload('').document : document!;
    expect(preview.printed.filter(({ part }) => part === 'code')).toEqual([]);
  });

  test('is of one month and one currency, and of services that are owed', () => {
    expect(refusal([crown(), treatment(3, [line(31, 50, exempt)], { atMs: may(31) + 14 * 3_600_000 })])).toEqual({
      code: 'COLLECTIVE_MIXED',
    });
    expect(refusal([crown(), treatment(3, [line(31, 50, exempt)], { currency: 'GBP' })])).toEqual({
      code: 'COLLECTIVE_MIXED',
    });
    expect(refusal([crown()], { tax_profile: 'none' })).toEqual({ code: 'TAX_PROFILE_REQUIRED' });
    const cancelled = reduceOrder(
      crown(),
      operation('order.cancel', { order_id: id(1), status: 'cancelled' }),
      may(2),
    )!;
    expect(refusal([cancelled])).toEqual({ code: 'ORDER_CANCELLED', details: { number: 'T-A7-000001' } });
  });

  test('is corrected by a note to its payer, which names it', () => {
    const { parts } = collected([crown(), brushes()]);
    const invoiced = reduceOrder(crown(), operation('order.invoice', parts[0]!), may(20))!;
    const pay = { order_id: id(1), payment_id: id(++ids), payment_method: 'insurance', amount: 350, tendered: 350 };
    const paid = reduceOrder(invoiced, operation('order.pay', { ...pay, change: 0 }), may(21))!;
    const composed = composeRefund(issue(), paid, {
      amountMinor: 310_00,
      method: 'insurance',
      reason: 'Ana Gil moved away',
      lineIds: [id(11)],
      isStillOwed: false,
    });
    if (!composed.ok || composed.value.series === null) throw new Error('refused');
    expect(composed.value.series).toBe('full_credit_note');
    const note = composed.value.payload('RF-A7-000001').credit_note!;
    expect(note).toMatchObject({
      document_type: 'R1',
      recipient: insurer,
      corrects: [{ number: 'F-A0-000001', issued_on: '2026-06-10' }],
      total_amount: -310,
    });
    expect(JSON.stringify(note.printed)).not.toMatch(/Ana Gil|Service 11/);
    // Why it is corrected stands there in general words, and in full in the clinic's own records.
    expect(note.printed).toContainEqual(expect.objectContaining({ left: 'Reason: Correction of services billed' }));
    expect(composed.value.payload('RF-A7-000001').reason).toBe('Ana Gil moved away');
  });

  test('is taken back by the cancel of a treatment, in general words too', () => {
    const { parts } = collected([crown(), brushes()]);
    const invoiced = reduceOrder(crown(), operation('order.invoice', parts[0]!), may(20))!;
    const composed = composeCancel(issue(), invoiced, { notes: 'Ana Gil never came' });
    if (!composed.ok || composed.value.series === null) throw new Error('refused');
    const { notes, credit_note: note } = composed.value.payload('RF-A7-000001');
    expect(note).toMatchObject({ document_type: 'R4', recipient: insurer, total_amount: -350 });
    expect(JSON.stringify(note!.printed)).not.toMatch(/Ana Gil|Service \d/);
    expect(notes).toBe('Ana Gil never came');
  });
});

describe('what a payer withholds', () => {
  test('lowers what is to be paid, and neither base nor tax', () => {
    const without = collected([crown(), brushes()]).document;
    const { document } = collected([crown(), brushes()], 15);
    // 441.54 + 13.73 = 455.27; 15 % are 68.2905.
    expect(document.retention).toEqual({ percentage: 15, base: 455.27, amount: 68.29 });
    expect(document.tax_totals).toEqual(without.tax_totals);
    expect(document.total_amount).toBe(without.total_amount);
    expect(document.printed.find(({ left }) => left === 'To be paid')?.right).toBe('EUR 389,86');
  });

  test.each([
    [0.1, 7, 0.01],
    [0.07, 7, 0],
    [100.5, 19, 19.1],
  ])('of a base of %s at %s percent is %s', (base, percentage, amount) => {
    expect(retentionOf([{ exempt: 'E1', base, tax: 0, gross: base }], percentage).amount).toBe(amount);
  });

  test.each([0, -1, 36, 15.005])('is no percentage of %s', (percentage) => {
    const composed = composeCollective(issue(), [crown()], { recipient: insurer, retentionPercentage: percentage });
    expect(composed).toMatchObject({ ok: false, refusal: { code: 'RETENTION_INVALID' } });
  });
});
