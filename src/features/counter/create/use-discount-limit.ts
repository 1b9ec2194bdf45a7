import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { decideDiscount, freeDiscount } from '../../../../domain/order/discount.ts';
import { useClinicSettings } from '../../../local-data/use-clinic-settings.ts';
import { useMay } from '../../../session/session.ts';
import { intlTag } from '../../../ui/intl-tag.ts';

/** Checks a discount against the clinic's limit and formats the limit in the current language. */
export function useDiscountLimit(subtotalMinor: number, currency: string) {
  const { t, i18n } = useTranslation();
  const { discount_limit_percent: limitPercent } = useClinicSettings();
  const mayExceed = useMay('order.discount_any');
  const format = useMemo(
    () => new Intl.NumberFormat(intlTag(i18n.language), { maximumFractionDigits: 2 }),
    [i18n.language],
  );
  const percent = (value: number) => format.format(value);
  const limit = percent(limitPercent);
  return {
    percent,
    limit,
    mayExceed,
    /** Returns the reason why the discount is not allowed, or null. */
    objection: (discountMinor: number, reason: string): string | null => {
      const agreed = decideDiscount({ discountMinor, subtotalMinor, limitPercent, mayExceed, reason });
      if (agreed.ok) return null;
      if (agreed.refusal.code === 'REASON_REQUIRED') return t('counter.discount.reasonShort', { limit });
      const max = formatMinor(freeDiscount(subtotalMinor, limitPercent), currencyLabel(currency));
      return t('counter.discount.overLimit', { limit, most: max });
    },
  };
}
