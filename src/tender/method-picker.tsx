import { Banknote, CreditCard, ShieldPlus, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import styles from './method-picker.module.css';

const icons = { cash: Banknote, card: CreditCard, insurance: ShieldPlus, others: Wallet };

export function MethodPicker({
  method,
  onChange,
}: {
  method: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset aria-label={t('counter.payment.method')} className={styles['methods']}>
      {paymentMethods.map((each) => {
        const Icon = icons[each];
        return (
          <button
            key={each}
            type="button"
            aria-pressed={each === method}
            className={styles['method']}
            onClick={() => onChange(each)}
          >
            <Icon size={20} aria-hidden />
            {t(`counter.methods.${each}`)}
          </button>
        );
      })}
    </fieldset>
  );
}
