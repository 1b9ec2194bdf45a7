import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { numberFormat } from '#domain/number-format.ts';
import { freeDiscount } from '#domain/order/discount.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useMay } from '#src/session/session.ts';

/** Returns a percentage as a text, without its sign. */
export const percent = (value: number): string => numberFormat().format(value);

/** Checks a discount against the clinic's limit and formats the limit in the current language. */
export function useDiscountLimit(subtotalMinor: number, currency: string) {
  const { t } = useTranslation();
  const { discount_limit_percent: limitPercent } = useClinicSettings();
  const mayExceed = useMay('order.discount_any');
  const limit = percent(limitPercent);
  const freeMinor = freeDiscount(subtotalMinor, limitPercent);
  const approvalRule = mayExceed
    ? null
    : t('counter.discount.needsApproval', { limit, most: formatMinor(freeMinor, currencyLabel(currency)) });
  return {
    limit,
    /** What a larger discount needs from a manager; null for those who may give any. */
    approvalRule,
    /** Returns true for a discount that needs a reason. */
    isOver: (discountMinor: number): boolean => discountMinor > freeMinor,
    /** Returns what the discount still needs from a manager, or null. */
    needsApproval: (discountMinor: number): string | null => (discountMinor <= freeMinor ? null : approvalRule),
  };
}
