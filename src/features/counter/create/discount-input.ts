/** A discount as typed text. */
import { amountForm, percentForm, readDecimal, writeDecimal } from '#domain/decimal.ts';
import { maxMinor } from '#domain/limits.ts';
import type { Discount } from '#domain/order/discount.ts';

export interface DiscountInput {
  kind: Discount['kind'];
  text: string;
}

export function discountInputOf(discount: Discount | undefined): DiscountInput {
  if (!discount) return { kind: 'percent', text: '' };
  const { kind } = discount;
  return {
    kind,
    text: kind === 'percent' ? writeDecimal(discount.bps, percentForm) : writeDecimal(discount.minor, amountForm),
  };
}

/** Returns null unless the text is above zero, at most 100 % or the largest amount, and has at most two decimals. */
export function parseDiscount({ kind, text }: DiscountInput): Discount | null {
  const { scaled = null } = readDecimal(text, kind === 'percent' ? percentForm : amountForm);
  const max = kind === 'percent' ? 10_000 : maxMinor;
  if (scaled === null || scaled <= 0 || scaled > max) return null;
  return kind === 'percent' ? { kind, bps: scaled } : { kind, minor: scaled };
}
