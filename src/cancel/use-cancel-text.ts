import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { isInvoiced } from '#domain/order/tax-totals.ts';
import { unbroken } from '#domain/printed-dates.ts';
import type { OrderRow } from '../db/database.ts';

/** A line does not end at it. */
const unbrokenHyphen = '\u2011';

/** Returns what the question before a cancel says: of which treatment, and that an invoiced one gets a corrective invoice. */
export function useCancelText(): (order: OrderRow) => string {
  const { t } = useTranslation();
  return (order) => {
    const amount = unbroken(formatMinor(order.owedMinor, currencyLabel(order.currency)));
    const text = t('counter.payment.cancelText', { number: order.number.replaceAll('-', unbrokenHyphen), amount });
    return isInvoiced(order) ? `${text} ${t('counter.payment.cancelCorrects')}` : text;
  };
}
