import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { decideDiscount, freeDiscount } from '../../../../domain/order/discount.ts';
import { useClinicSettings } from '../../../device/use-clinic-settings.ts';
import { useMay } from '../../../session/use-may.ts';
import { intlTag } from '../../../ui/intl-tag.ts';

/** The clinic's limit on discounts, in the words of whoever stands at the counter. */
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
    /** What stands against a discount of so much, in a sentence; null when nothing does. */
    objection: (discountMinor: number, reason: string): string | null => {
      const agreed = decideDiscount({ discountMinor, subtotalMinor, limitPercent, mayExceed, reason });
      if (agreed.ok) return null;
      if (agreed.refusal.code === 'REASON_REQUIRED') return t('counter.discount.reasonShort', { limit });
      const most = formatMinor(freeDiscount(subtotalMinor, limitPercent), currencyLabel(currency));
      return t('counter.discount.overLimit', { limit, most });
    },
  };
}
