import { useTranslation } from 'react-i18next';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import type { NounWords } from '#src/decisions/changes.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';

/** The fields of an alert in words, for what has changed since it was shown. */
export function useAlertWords(): NounWords {
  const { t } = useTranslation();
  const { quantity, day } = useClinicFormats();
  return {
    alert_type: {
      label: t('decisions.kind'),
      text: (type: StockAlertResource['alert_type']) => t(`stock.alertTypes.${type}`),
    },
    severity: {
      label: t('stock.fields.status'),
      text: (severity: StockAlertResource['severity']) => t(`stock.alerts.severity.${severity}`),
    },
    status: {
      label: t('decisions.state'),
      text: (status: StockAlertResource['status']) =>
        status === 'active' ? t('stock.alerts.open') : t(`stock.alerts.status.${status}`),
    },
    current_quantity: { label: t('stock.alerts.current'), text: quantity },
    threshold_quantity: { label: t('stock.alerts.threshold'), text: quantity },
    lot: {
      label: t('stock.alerts.lot'),
      text: ({ lot_number, expires_on, remaining }: NonNullable<StockAlertResource['lot']>) =>
        [lot_number, day(expires_on), quantity(remaining)].join(' · '),
    },
  };
}
