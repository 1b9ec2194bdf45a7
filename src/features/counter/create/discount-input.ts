/** A discount as typed text. The decimal separator may be a point or a comma. */
import { maxMinor } from '#domain/limits.ts';
import type { Discount } from '#domain/order/discount.ts';

export interface DiscountInput {
  kind: Discount['kind'];
  text: string;
}

export function discountInputOf(discount: Discount | undefined): DiscountInput {
  if (!discount) return { kind: 'percent', text: '' };
  return { kind: discount.kind, text: String((discount.kind === 'percent' ? discount.bps : discount.minor) / 100) };
}

/** Returns null unless the text is above zero, at most 100 % or the largest amount, and has at most two decimals. */
export function parseDiscount({ kind, text }: DiscountInput): Discount | null {
  const match = /^(\d{1,10})(?:[.,](\d{0,2}))?$/.exec(text.trim());
  if (!match) return null;
  const hundredths = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  const max = kind === 'percent' ? 10_000 : maxMinor;
  if (hundredths === 0 || hundredths > max) return null;
  return kind === 'percent' ? { kind, bps: hundredths } : { kind, minor: hundredths };
}
