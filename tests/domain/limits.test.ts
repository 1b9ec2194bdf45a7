import { describe, expect, test } from 'vitest';
import { effectiveAt, isClockWrong } from '#domain/business-day.ts';
import { decideOpen } from '#domain/drawer/decisions.ts';
import { longestBeforeFirstDayMs, maxLines, maxMinor, wrongClockMs } from '#domain/limits.ts';
import { decideAddedServices, decideLines, decidePayment } from '#domain/order/decisions.ts';
import type { Order } from '#domain/order/order.ts';
import { productProblems, purchaseProblems, stockProblems } from '#domain/stock/drafts.ts';

const service = (priceMinor: number, quantityMilli = 1000) => ({
  lineId: 'line',
  sellable: { type: 'stock' as const, id: 1, name: 'Implant', priceMinor, isAvailable: true },
  quantityMilli,
});
const codeOf = (result: { ok: boolean; refusal?: { code: string } }) => (result.ok ? 'accepted' : result.refusal?.code);
const order = (lines: Order['lines']): Order => ({
  id: 'order',
  opId: 'op',
  number: 'T-A1-000001',
  type: 'walk_in',
  customerName: '',
  patientId: null,
  roomId: null,
  roomNumber: '',
  notes: '',
  currency: 'EUR',
  discountMinor: 0,
  agreedDiscountMinor: 0,
  discountReason: '',
  chargeMinor: 0,
  createdAtMs: 0,
  createdBy: 1,
  deviceId: 1,
  lines,
  payments: [],
  removedLines: [],
  cancels: [],
  changes: [],
  addedNotes: [],
  invoices: [],
});

describe('money beyond the limits', () => {
  test.each([
    ['one service', [service(maxMinor)], 'accepted'],
    ['one service in a quantity', [service(maxMinor, 2000)], 'AMOUNT_TOO_LARGE'],
    ['a plan', [service(maxMinor), service(1)], 'AMOUNT_TOO_LARGE'],
    ['a plan of very many lines', Array.from({ length: maxLines + 1 }, () => service(1)), 'VALIDATION'],
  ])('is refused before %s is created', (_title, lines, code) => {
    expect(codeOf(decideLines(lines))).toBe(code);
  });

  test('is refused before services are added to a treatment', () => {
    const first = decideLines([service(maxMinor)]);
    const full = order(
      first.ok ? first.value.map((line) => ({ ...line, opId: 'op', position: 0, replaces: null })) : [],
    );
    expect(codeOf(decideAddedServices(full, [service(1)]))).toBe('ORDER_FULL');
    expect(codeOf(decideAddedServices(order([]), [service(maxMinor)]))).toBe('accepted');
  });

  test('is refused before it is paid, or put into a drawer', () => {
    const due = order([]);
    expect(codeOf(decidePayment(due, { method: 'cash', tenderedMinor: maxMinor + 1 }))).toBe('AMOUNT_TOO_LARGE');
    expect(codeOf(decideOpen({ hasOpen: false, floatMinor: maxMinor + 1 }))).toBe('AMOUNT_TOO_LARGE');
  });

  test('is named by the forms', () => {
    const tooMuch = maxMinor / 100 + 0.01;
    const texts = { name: 'Crown', unit: 'pcs', supplier: 'Vendor', supplier_contact: 'Phone', description: '' };
    const flags = { is_available: true, needs_preparation: true, is_favourite: false };
    const rest = { category_id: null, image_url: null, barcode: null, ...flags };
    const amounts = { quantity: 0, reserved_quantity: 0, low_stock_threshold: 0 };
    const stock = { ...texts, ...rest, ...amounts, is_stocked: true, tracks_lots: false, cost_per_unit: tooMuch };
    expect(stockProblems(stock)).toEqual({ cost_per_unit: 'NUMBER_UNFIT' });
    expect(productProblems({ ...texts, ...rest, ingredients: [], price: tooMuch })).toEqual({ price: 'NUMBER_UNFIT' });
    const items = [{ stock_id: 1, quantity: 2, unit_cost: maxMinor / 100 }];
    expect(purchaseProblems({ vendor: 'Vendor', vendor_contact: '', notes: '', items }).items).toBe('NUMBER_UNFIT');
  });
});

describe('SYNC-14 a stated time', () => {
  const firstDayMs = Date.parse('2026-01-10T09:00:00Z');
  const receivedAtMs = Date.parse('2026-05-12T10:00:00Z');
  const earliestMs = firstDayMs - longestBeforeFirstDayMs;
  const times = (occurredAtMs: number, offsetMs: number | null = 0) => ({
    occurredAtMs,
    offsetMs,
    receivedAtMs,
    firstDayMs,
  });

  test.each([
    ['an hour ago', receivedAtMs - 3_600_000, receivedAtMs - 3_600_000, false],
    ['the earliest', earliestMs, earliestMs, false],
    ['before the clinic', earliestMs - 1, receivedAtMs, true],
    ['a little ahead', receivedAtMs + wrongClockMs, receivedAtMs, false],
    ['far ahead', receivedAtMs + wrongClockMs + 1, receivedAtMs, true],
  ])('%s takes effect within the life of the clinic', (_title, occurredAtMs, effectiveMs, isWrong) => {
    expect(effectiveAt(times(occurredAtMs))).toBe(effectiveMs);
    expect(isClockWrong(times(occurredAtMs))).toBe(isWrong);
  });

  test('without a measured offset is the arrival, and no clock is blamed', () => {
    expect(effectiveAt(times(0, null))).toBe(receivedAtMs);
    expect(isClockWrong(times(0, null))).toBe(false);
  });
});
