import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../domain/money.ts';
import type { OrderRow } from '../db/database.ts';

/** Returns a sentence that describes the treatment after a refund of an amount (SYNC-11). */
export function useConsequence({
  paidMinor,
  balanceMinor,
  currency,
}: Pick<OrderRow, 'paidMinor' | 'balanceMinor' | 'currency'>): (amountMinor: number) => string {
  const { t } = useTranslation();
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  return (amountMinor) => {
    const [keptMinor, dueMinor] = [paidMinor - amountMinor, balanceMinor + amountMinor];
    if (keptMinor === 0) return t('refund.then.cancelled');
    const paid = money(keptMinor);
    if (dueMinor > 0) return t('refund.then.due', { paid, due: money(dueMinor) });
    return dueMinor === 0
      ? t('refund.then.settled', { paid })
      : t('refund.then.over', { paid, surplus: money(-dueMinor) });
  };
}
