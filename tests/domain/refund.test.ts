import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flagsOf } from '#domain/order/flags.ts';
import { issueCreditNote } from '#domain/order/issue-documents.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import type { OrderOperation } from '#domain/order/operations.ts';
import { decidePayment, decideRefund, refundMethod } from '#domain/order/decisions.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { Order } from '#domain/order/order.ts';
import { creditNoteRows } from '#domain/order/printed-document.ts';
import { minorToWire } from '#domain/money.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { documentLabels, noon } from '../src/db/tablet.ts';
import { history, arbitraryLine, orderId } from './arbitraries.ts';

const seeded = { seed: 20_261_121, numRuns: 300 };
const at = (operation: OrderOperation) => Date.parse(operation.occurred_at);
const apply = (order: Order | null, operation: OrderOperation): Order => reduceOrder(order, operation, at(operation))!;

/** One attempt at the counter. A share is a percentage of the balance or of the paid amount. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    share: fc.integer({ min: 1, max: 150 }),
    method: fc.constantFrom(...paymentMethods),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    share: fc.integer({ min: 1, max: 150 }),
    method: fc.constantFrom(...paymentMethods),
  }),
  fc.record({ kind: fc.constant('add' as const), item: arbitraryLine }),
);

describe('SYNC-11 paying, refunding and adding in any order', () => {
  test('SYNC-11 totals add up to the cent, and no accepted refund exceeds the payments', () => {
    fc.assert(
      fc.property(history, fc.array(step, { minLength: 1, maxLength: 12 }), ([creation], steps) => {
        const base = creation!;
        let order = apply(null, base);
        const held = { pay: 0, refund: 0 };
        steps.forEach((one, index) => {
          const envelope = { ...base, op_id: `step-${index}` };
          const { balanceMinor, paidMinor } = totals(order);
          if (one.kind === 'add') {
            const added = { ...one.item, line_id: `line-${index}` };
            order = apply(order, {
              ...envelope,
              kind: 'order.add_services',
              payload: { order_id: orderId, items: [added] },
            });
            return;
          }
          if (one.kind === 'pay') {
            const agreed = decidePayment(order, {
              method: 'cash',
              tenderedMinor: Math.floor((balanceMinor * one.share) / 100),
            });
            if (!agreed.ok) return;
            const { amountMinor, tenderedMinor, changeMinor } = agreed.value;
            held.pay += amountMinor;
            const amounts = {
              amount: minorToWire(amountMinor),
              tendered: minorToWire(tenderedMinor),
              change: minorToWire(changeMinor),
            };
            order = apply(order, {
              ...envelope,
              kind: 'order.pay',
              payload: { order_id: orderId, payment_id: `p${index}`, payment_method: one.method, ...amounts },
            });
            return;
          }
          const amountMinor = Math.floor((paidMinor * one.share) / 100);
          const agreed = decideRefund(order, { amountMinor, reason: 'agreed' });
          expect(agreed.ok).toBe(amountMinor > 0 && amountMinor <= paidMinor);
          if (!agreed.ok) return;
          held.refund += amountMinor;
          const payload = {
            order_id: orderId,
            refund_id: `r${index}`,
            payment_method: one.method,
            amount: minorToWire(amountMinor),
            reason: 'agreed',
            reduction: minorToWire(agreed.value.reductionMinor),
            credit_note_number: `R-A7-${index}`,
          };
          order = apply(order, { ...envelope, kind: 'order.refund', payload });
          if (amountMinor === paidMinor) expect(statusOf(order)).toBe('cancelled');
        });
        const { totalMinor, reductionMinor, paidMinor, balanceMinor } = totals(order);
        expect(paidMinor).toBe(held.pay - held.refund);
        expect(paidMinor).toBeGreaterThanOrEqual(0);
        expect(paidMinor + balanceMinor).toBe(totalMinor - reductionMinor);
        expect(flagsOf(order)).not.toContain('over_refunded');
      }),
      seeded,
    );
  });

  test('SYNC-11 the treatment is flagged exactly when more was refunded than paid', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = operations.reduce<Order | null>(
          (before, operation) => reduceOrder(before, operation, at(operation)),
          null,
        )!;
        expect(flagsOf(order).includes('over_refunded')).toBe(totals(order).paidMinor < 0);
      }),
      seeded,
    );
  });
});

const base: Order = {
  id: 'x',
  opId: 'o',
  number: 'T-A7-000001',
  type: 'walk_in',
  customerName: 'Eva',
  patientId: null,
  roomId: null,
  roomNumber: '',
  notes: '',
  currency: 'EUR',
  discountMinor: 0,
  agreedDiscountMinor: 0,
  discountReason: '',
  chargeMinor: 0,
  createdAtMs: noon,
  createdBy: 7,
  deviceId: 3,
  removedLines: [],
  cancels: [],
  changes: [],
  addedNotes: [],
  lines: [
    {
      lineId: 'a',
      stockId: 1,
      productId: null,
      name: 'Limpieza',
      quantityMilli: 1000,
      unitPriceMinor: 6000,
      notes: '',
      opId: 'o1',
      position: 0,
      replaces: null,
    },
    {
      lineId: 'b',
      stockId: 2,
      productId: null,
      name: 'Corona',
      quantityMilli: 1000,
      unitPriceMinor: 42_000,
      notes: '',
      opId: 'o3',
      position: 0,
      replaces: null,
    },
  ],
  payments: [],
  invoices: [],
};
const payment = (amountMinor: number, method: (typeof paymentMethods)[number] = 'cash') => ({
  paymentId: `${amountMinor}`,
  opId: `${amountMinor}`,
  method,
  amountMinor,
  tenderedMinor: 0,
  changeMinor: 0,
  reference: '',
  creditNoteNumber: null,
  creditNote: null,
  reason: '',
  refundedLines: [],
  allowances: [],
  reductionMinor: 0,
  isStillOwed: false,
  actorId: 7,
  deviceId: 3,
  atMs: noon,
});
const invoice = (number: string, lineId: string) => ({
  op_id: number,
  invoice_id: number,
  invoice_number: number,
  issued_at: '',
  currency: 'EUR',
  subtotal: 0,
  discount_amount: 0,
  service_charge_amount: 0,
  service_charge_percentage: 0,
  total_amount: 0,
  line_ids: [lineId],
  language: 'en',
  printed: [],
});
const codeOf = (result: ReturnType<typeof decideRefund>) => (result.ok ? null : result.refusal.code);

describe('decideRefund', () => {
  const paid = { ...base, payments: [payment(6000)] };
  test.each([
    [0, 'agreed', 'AMOUNT_INVALID'],
    [-1, 'agreed', 'AMOUNT_INVALID'],
    [0.5, 'agreed', 'AMOUNT_INVALID'],
    [6001, 'agreed', 'REFUND_EXCEEDS_PAYMENTS'],
    [6000, ' a ', 'REASON_REQUIRED'],
    [6000, 'agreed', null],
    [1, 'agreed', null],
  ])('of %d because “%s”: %s', (amountMinor, reason, code) => {
    expect(codeOf(decideRefund(paid, { amountMinor, reason }))).toBe(code);
  });

  test('limits a second refund to what the first left', () => {
    const once = { ...paid, payments: [payment(6000), payment(-4000)] };
    expect(codeOf(decideRefund(once, { amountMinor: 2001, reason: 'agreed' }))).toBe('REFUND_EXCEEDS_PAYMENTS');
    expect(codeOf(decideRefund(once, { amountMinor: 2000, reason: 'agreed' }))).toBeNull();
  });

  test('returns the services that the refund names', () => {
    const refund = { amountMinor: 1, reason: 'agreed' };
    const agreed = decideRefund(paid, { ...refund, lineIds: ['b'] });
    expect(agreed.ok && agreed.value.lines.map(({ line }) => line.lineId)).toEqual(['b']);
    expect(codeOf(decideRefund(paid, { ...refund, lineIds: ['b', 'unknown'] }))).toBe('LINE_GONE');
  });
});

test('refunds by the method with the highest remaining amount', () => {
  expect(refundMethod({ payments: [payment(2000), payment(3000, 'card')] })).toBe('card');
  expect(refundMethod({ payments: [payment(2000), payment(3000, 'card'), payment(-2500, 'card')] })).toBe('cash');
  expect(refundMethod({ payments: [] })).toBe('cash');
});

describe('a credit note', () => {
  const settings = {
    ...defaultSettings,
    practice_name: 'Clínica Luz',
    receipt_header: '',
    receipt_footer: 'Gracias',
    tax_note: 'Exento de IVA',
  };
  const context = { settings, language: 'sp' as const, labels: documentLabels, cashierName: 'Ana' };
  const order = {
    ...base,
    payments: [payment(48_000, 'card')],
    invoices: [invoice('INV-A7-000001', 'a'), invoice('INV-B2-000009', 'b')],
  };
  const note = {
    number: 'R-A7-000001',
    issuedAtMs: noon,
    order,
    amountMinor: 1250,
    method: 'card' as const,
    reason: 'No se hizo',
    lines: [],
  };
  const texts = (rows: ReturnType<typeof creditNoteRows>) =>
    rows.map(({ style, left, right }) => [style, left, right].filter((part) => part !== undefined).join(' | '));

  test('contains number, date, invoices, treatment, reason, amount, method, the clinic and its tax note', () => {
    expect(texts(creditNoteRows(context, note))).toEqual([
      'title | Clínica Luz',
      'rule',
      'title | Credit note',
      'pair | Credit note no. | R-A7-000001',
      'pair | Issued | 12 may 2026, 12:00',
      'pair | For invoice | INV-A7-000001',
      'pair | For invoice | INV-B2-000009',
      'pair | Treatment | T-A7-000001',
      'pair | Date of treatment | 12\u00a0may\u00a02026',
      'pair | Customer | Eva',
      'pair | Served by | Ana',
      'rule',
      'head',
      'item | Limpieza, Corona | EUR 12,50',
      'text | Reason: No se hizo',
      'rule',
      'total | Refunded | EUR 12,50',
      'pair | Card | EUR 12,50',
      'small | Exento de IVA',
      'text | Gracias',
    ]);
  });

  test('names a single refunded service, and only the invoice that billed it', () => {
    const rows = texts(creditNoteRows(context, { ...note, lines: [{ line: order.lines[1]!, amountMinor: 1250 }] }));
    expect(rows).toContain('item | Corona | EUR 12,50');
    expect(rows.filter((row) => row.includes('For invoice'))).toEqual(['pair | For invoice | INV-B2-000009']);
  });

  test('SYNC-12 is stored with its language and its time', () => {
    expect(
      issueCreditNote(context, { ...note, terms: { lines: note.lines, allowances: [], reductionMinor: 1250 } }),
    ).toEqual({
      printed: creditNoteRows(context, note),
      language: 'sp',
      issued_at: new Date(noon).toISOString(),
      total_amount: 0,
    });
  });
});
