import { useTranslation } from 'react-i18next';
import type { Order } from '#domain/order/order.ts';

/**
 * Returns a function that names the customer of a treatment: empty for nobody. A treatment of a patient always has a
 * name, until the patient is erased.
 */
export function useCustomerName(): (order: Pick<Order, 'customerName' | 'patientId'>) => string {
  const { t } = useTranslation();
  return ({ customerName, patientId }) => customerName || (patientId === null ? '' : t('patients.erased'));
}
