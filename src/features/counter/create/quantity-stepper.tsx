import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readDecimal, wholeForm } from '#domain/decimal.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import styles from './quantity-stepper.module.css';

/** Three digits, which is as much as the field shows. */
const mostPieces = 999;

interface QuantityStepperProps {
  name: string;
  quantity: number;
  onChange: (quantity: number) => void;
  /** Called by the minus button when the quantity is 1. */
  onRemove: () => void;
}

export function QuantityStepper({ name, quantity, onChange, onRemove }: QuantityStepperProps) {
  const { t } = useTranslation();
  // The text while it is typed, which may be empty or zero before it is a valid quantity.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <div className={styles['stepper']}>
      <IconButton
        label={quantity === 1 ? t('counter.services.remove', { name }) : t('counter.services.less', { name })}
        onClick={() => (quantity === 1 ? onRemove() : onChange(quantity - 1))}
      >
        <Minus />
      </IconButton>
      <input
        type="text"
        inputMode="numeric"
        maxLength={7}
        aria-label={t('counter.plan.quantity', { name })}
        value={typed ?? String(quantity)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          const text = event.target.value;
          setTyped(text);
          const { scaled } = readDecimal(text, wholeForm);
          if (scaled && scaled >= 1 && scaled <= mostPieces) onChange(scaled);
        }}
        onBlur={() => setTyped(null)}
        className={styles['quantity']}
      />
      <IconButton label={t('counter.services.more', { name })} onClick={() => onChange(quantity + 1)}>
        <Plus />
      </IconButton>
    </div>
  );
}
