import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import type { RefundWish } from '#domain/order/refund-terms.ts';
import type { OrderRow } from '../db/database.ts';
import type { Order } from '#domain/order/order.ts';
import { refundTerms, termsAsFacts } from '#domain/order/refund-terms.ts';
import { statusOf, totals } from '#domain/order/totals.ts';

/** What a refund makes of a treatment. */
export interface Consequence {
  kind: 'cancelled' | 'settled' | 'due' | 'unpaid' | 'over';
  /** What the treatment costs. */
  owedMinor: number;
  paidMinor: number;
  /** Negative when overpaid. */
  balanceMinor: number;
}

/** Returns what a treatment is after a refund. */
export function consequenceOf(order: Order, wish: RefundWish): Consequence {
  const refund = {
    amountMinor: -wish.amountMinor,
    ...termsAsFacts(refundTerms(order, wish)),
    isStillOwed: wish.isStillOwed ?? false,
  };
  const after = { ...order, payments: [...order.payments, refund] };
  const { owedMinor, paidMinor, balanceMinor } = totals(after);
  return { kind: kindOf(statusOf(after) === 'cancelled', paidMinor, balanceMinor), owedMinor, paidMinor, balanceMinor };
}

function kindOf(isCancelled: boolean, paidMinor: number, balanceMinor: number): Consequence['kind'] {
  if (isCancelled) return 'cancelled';
  if (balanceMinor > 0) return paidMinor > 0 ? 'due' : 'unpaid';
  return balanceMinor < 0 ? 'over' : 'settled';
}

/** Returns a sentence that describes the treatment after a refund (SYNC-11). */
export function useConsequence(order: OrderRow): (wish: RefundWish) => string {
  const { t } = useTranslation();
  // A line break would part the currency from its amount.
  const money = (minor: number) => formatMinor(minor, currencyLabel(order.currency)).replaceAll(' ', '\u00a0');
  return (wish) => {
    const { kind, owedMinor, paidMinor, balanceMinor } = consequenceOf(order, wish);
    return t(`refund.then.${kind}`, {
      cost: money(owedMinor),
      paid: money(paidMinor),
      due: money(balanceMinor),
      surplus: money(-balanceMinor),
    });
  };
}
