import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import type { RefundWish } from '#domain/order/refund-terms.ts';
import type { OrderRow } from '../db/database.ts';
import { consequenceOf } from './consequence.ts';

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
