import { Fragment, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatAmount, formatMinor } from '#domain/money.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import type { OrderRow } from '#src/db/database.ts';
import { MoneyField } from '#src/forms/money-field.tsx';
import { Button } from '#src/ui/button.tsx';
import { Key } from '#src/ui/key.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { KeyHint } from '../keyboard-shortcuts.tsx';
import { CashKeypad } from '#src/tender/cash-keypad.tsx';
import { amountMinor, amountText, pressKey, proposeAmount } from '#src/tender/keypad.ts';
import { MethodPicker } from '#src/tender/method-picker.tsx';
import { halfOf, quickAmounts } from './quick-amounts.ts';
import styles from './tender-form.module.css';
import type { Tender } from './use-payment-actions.ts';

interface TenderFormProps {
  order: OrderRow;
  pending: boolean;
  method: PaymentMethod;
  onMethod: (method: PaymentMethod) => void;
  onPay: (tender: Tender) => void;
}

/**
 * Takes the payment method and amount. The amount starts as the balance, so that an exact payment is one tap. All methods
 * have the same rows, so that nothing moves under the finger.
 */
export function TenderForm({ order, pending, method, onMethod, onPay }: TenderFormProps) {
  const { t } = useTranslation();
  const { balanceMinor, currency } = order;
  const [entry, setEntry] = useState(() => proposeAmount(balanceMinor));
  const [reference, setReference] = useState('');
  const [error, setError] = useState<string>();
  const amountField = useRef<HTMLInputElement>(null);
  // A layout effect, so that the field takes keys before the first paint. Tablets show no screen keyboard for it, because
  // it has its own keypad.
  useLayoutEffect(() => amountField.current?.focus({ preventScroll: true }), []);
  const tenderedMinor = amountMinor(entry.text);
  const isCash = method === 'cash';
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));

  function change(next: typeof entry) {
    setEntry(next);
    setError(undefined);
  }

  const choose = (minor: number) => change({ text: amountText(minor), untouched: true });

  function chooseMethod(next: PaymentMethod) {
    onMethod(next);
    // Only cash can exceed the balance.
    if (next !== 'cash' && (tenderedMinor ?? 0) > balanceMinor) change(proposeAmount(balanceMinor));
    setError(undefined);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (tenderedMinor === null || (tenderedMinor === 0 && balanceMinor > 0))
      setError(t('counter.payment.amountMissing'));
    else if (!isCash && tenderedMinor > balanceMinor) setError(t('counter.payment.amountTooHigh'));
    else onPay({ method, tenderedMinor, reference });
  }

  return (
    <form className={styles['form']} noValidate onSubmit={submit}>
      <MethodPicker method={method} onChange={chooseMethod} />
      <MoneyField
        label={t('counter.payment.amount')}
        labelHidden
        lead={t('counter.payment.amount')}
        currency={currency}
        // The keypad below replaces the screen keyboard; a hardware keyboard still works.
        inputMode="none"
        ref={amountField}
        text={entry.text}
        onText={(text) => change({ text, untouched: false })}
        error={error}
        minHeight={{ base: '12', md: '16' }}
        fontSize="xl"
        fontWeight="semibold"
      />
      <Amounts balanceMinor={balanceMinor} tenderedMinor={tenderedMinor} currency={currency} onChoose={choose}>
        {!isCash && (
          <div className={styles['reference']}>
            <TextField
              label={t('counter.payment.reference')}
              labelHidden
              placeholder={t('counter.payment.reference')}
              maxLength={100}
              autoComplete="off"
              value={reference}
              onChange={(event) => setReference(event.target.value)}
            />
          </div>
        )}
      </Amounts>
      <div className={styles['keypad']}>
        <CashKeypad onPress={(key) => change(pressKey(entry, key))} />
      </div>
      <div className={styles['foot']}>
        <Remainder tenderedMinor={tenderedMinor} balanceMinor={balanceMinor} currency={currency} />
        <ChargeButton amount={money(Math.min(tenderedMinor ?? 0, balanceMinor))} pending={pending} />
      </div>
    </form>
  );
}

interface AmountsProps {
  balanceMinor: number;
  /** Null while no amount is entered. */
  tenderedMinor: number | null;
  currency: string;
  onChoose: (minor: number) => void;
  /** Takes the place of the notes and coins, which only cash has. */
  children: ReactNode;
}

/** Offers the balance, half of it, and what a patient may hand over. */
function Amounts({ balanceMinor, tenderedMinor, currency, onChoose, children }: AmountsProps) {
  const { t } = useTranslation();
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const keyOf = (minor: number) => ({
    size: 'md' as const,
    'aria-pressed': tenderedMinor === minor,
    onClick: () => onChoose(minor),
  });
  const half = halfOf(balanceMinor);
  return (
    <div className={styles['amounts']}>
      <Key aria-label={`${t('counter.payment.exact')} ${money(balanceMinor)}`} {...keyOf(balanceMinor)}>
        {t('counter.payment.exact')}
      </Key>
      <Key aria-label={t('counter.payment.half', { amount: money(half) })} {...keyOf(half)}>
        ½
      </Key>
      {children ||
        quickAmounts(balanceMinor).map((minor) => (
          <Key key={minor} aria-label={money(minor)} {...keyOf(minor)}>
            {formatAmount(minor).replace(/,00$/, '')}
          </Key>
        ))}
    </div>
  );
}

function ChargeButton({ amount, pending }: { amount: string; pending: boolean }) {
  const { t } = useTranslation();
  const chargeId = useId();
  const charge = t('counter.payment.charge', { amount });
  return (
    <Button
      type="submit"
      variant="primary"
      size="lg"
      className={styles['process']}
      wide
      disabled={pending}
      aria-label={t('counter.payment.process')}
      aria-describedby={chargeId}
    >
      {/* New elements for another amount: the old ones would move. */}
      <Fragment key={charge}>
        <span id={chargeId} className={styles['charge']}>
          {charge}
        </span>
        <KeyHint keys={['↵']} />
      </Fragment>
    </Button>
  );
}

interface RemainderProps {
  /** Null while no amount is entered. */
  tenderedMinor: number | null;
  balanceMinor: number;
  currency: string;
}

/** Shows the change, or that the payment is a part and what stays due. Keeps its height when it is exact. */
function Remainder({ tenderedMinor, balanceMinor, currency }: RemainderProps) {
  const { t } = useTranslation();
  const remainingMinor = balanceMinor - (tenderedMinor ?? 0);
  const isPart = remainingMinor > 0 && (tenderedMinor ?? 0) > 0;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  return (
    <div aria-live="polite" className={styles['remainder']}>
      {isPart && <span className={styles['part']}>{t('counter.payment.part', { amount: money(remainingMinor) })}</span>}
      {remainingMinor < 0 && (
        <>
          <span>{t('counter.payment.change')}</span>
          <span className={styles['change']}>{money(-remainingMinor)}</span>
        </>
      )}
    </div>
  );
}
