import { useTranslation } from 'react-i18next';
import { useClinicSettings } from '../../../device/use-clinic-settings.ts';
import { useMinute } from '../../../formats/use-minute.ts';
import { intlTag } from '../../../ui/intl-tag.ts';

/** Says how long a treatment has been open, where that is longer than the clinic lets one wait; null otherwise. */
export function useOverdue(): (createdAtMs: number) => string | null {
  const { t, i18n } = useTranslation();
  const now = useMinute();
  const { order_timeout_minutes: limit } = useClinicSettings();
  return (createdAtMs) => {
    const minutes = Math.floor((now - createdAtMs) / 60_000);
    if (minutes < limit) return null;
    const [value, unit] =
      minutes < 120 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
    const time = new Intl.NumberFormat(intlTag(i18n.language), { style: 'unit', unit, unitDisplay: 'short' }).format(
      Math.floor(value),
    );
    return t('counter.orders.openFor', { time });
  };
}
