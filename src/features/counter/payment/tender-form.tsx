import { chakra, Flex, Grid } from '@chakra-ui/react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatAmount, formatMinor } from '../../../../domain/money.ts';
import type { PaymentMethod } from '../../../../domain/order/vocabulary.ts';
import type { OrderRow } from '../../../db/database.ts';
import { DrawerPrompt } from '../../../drawer/drawer-prompt.tsx';
import { MoneyField } from '../../../forms/money-field.tsx';
import { MoneyText } from '../../../formats/money.tsx';
import { Button } from '../../../ui/button.tsx';
import { Key } from '../../../ui/key.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { KeyHint } from '../keyboard-shortcuts.tsx';
import { CashKeypad } from '../../../tender/cash-keypad.tsx';
import { amountMinor, amountText, pressKey, proposeAmount } from '../../../tender/keypad.ts';
import { MethodPicker } from '../../../tender/method-picker.tsx';
import { halfOf, quickAmounts } from './quick-amounts.ts';
import type { Tender } from './use-payment-actions.ts';

interface TenderFormProps {
  order: OrderRow;
  pending: boolean;
  onPay: (tender: Tender) => void;
}

/**
 * Takes the payment method and amount. The amount starts as the balance, so that an exact payment is one tap. All methods
 * have the same rows, so that nothing moves under the finger.
 */
export function TenderForm({ order, pending, onPay }: TenderFormProps) {
  const { t } = useTranslation();
  const { balanceMinor, currency } = order;
  const [method, setMethod] = useState<PaymentMethod>('cash');
  const [entry, setEntry] = useState(() => proposeAmount(balanceMinor));
  const [reference, setReference] = useState('');
  const [error, setError] = useState<string>();
  const amountField = useRef<HTMLInputElement>(null);
  const chargeId = useId();
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
    setMethod(next);
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
    <chakra.form
      display="flex"
      flexDirection="column"
      gap={{ base: '2', md: '3' }}
      flex="1"
      noValidate
      onSubmit={submit}
    >
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
      {isCash && <DrawerPrompt />}
      <Grid templateColumns="repeat(5, minmax(0, 1fr))" gap="2">
        <Choice
          label={`${t('counter.payment.exact')} ${money(balanceMinor)}`}
          pressed={tenderedMinor === balanceMinor}
          onClick={() => choose(balanceMinor)}
        >
          {t('counter.payment.exact')}
        </Choice>
        <Choice
          label={t('counter.payment.half', { amount: money(halfOf(balanceMinor)) })}
          pressed={tenderedMinor === halfOf(balanceMinor)}
          onClick={() => choose(halfOf(balanceMinor))}
        >
          ½
        </Choice>
        {isCash ? (
          quickAmounts(balanceMinor).map((minor) => (
            <Choice key={minor} label={money(minor)} pressed={minor === tenderedMinor} onClick={() => choose(minor)}>
              {formatAmount(minor).replace(/,00$/, '')}
            </Choice>
          ))
        ) : (
          <chakra.div gridColumn="span 3">
            <TextField
              label={t('counter.payment.reference')}
              labelHidden
              placeholder={t('counter.payment.reference')}
              maxLength={100}
              autoComplete="off"
              value={reference}
              onChange={(event) => setReference(event.target.value)}
            />
          </chakra.div>
        )}
      </Grid>
      <CashKeypad onPress={(key) => change(pressKey(entry, key))} />
      {/* Not sticky on phones, where the bar would cover the keypad. */}
      <chakra.div
        mt="auto"
        position={{ md: 'sticky' }}
        bottom="0"
        pt={{ md: '2' }}
        pb={{ base: '2', md: '4' }}
        bg="bg.surface"
      >
        <Remainder tenderedMinor={tenderedMinor} balanceMinor={balanceMinor} currency={currency} />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          minHeight={{ base: '14', md: '16' }}
          wide
          disabled={pending}
          aria-label={t('counter.payment.process')}
          aria-describedby={chargeId}
        >
          <chakra.span id={chargeId} fontVariantNumeric="tabular-nums">
            {t('counter.payment.charge', { amount: money(Math.min(tenderedMinor ?? 0, balanceMinor)) })}
          </chakra.span>
          <KeyHint keys={['↵']} />
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

interface ChoiceProps {
  label: string;
  pressed: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Choice({ label, pressed, onClick, children }: ChoiceProps) {
  return (
    <Key
      type="button"
      minHeight="12"
      fontSize="md"
      aria-pressed={pressed}
      aria-label={label}
      onClick={onClick}
      _pressed={{ bg: 'accent.subtle', borderColor: 'accent.solid', color: 'accent.fg' }}
    >
      {children}
    </Key>
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
  return (
    <Flex
      aria-live="polite"
      justify="space-between"
      align="baseline"
      minHeight={{ base: '7', md: '8' }}
      pb={{ md: '2' }}
      fontWeight="medium"
    >
      {isPart && (
        <chakra.span color="due.fg" fontVariantNumeric="tabular-nums">
          {t('counter.payment.part', { amount: formatMinor(remainingMinor, currencyLabel(currency)) })}
        </chakra.span>
      )}
      {remainingMinor < 0 && (
        <>
          <span>{t('counter.payment.change')}</span>
          <MoneyText minor={-remainingMinor} currency={currency} fontSize="lg" color="paid.fg" />
        </>
      )}
    </Flex>
  );
}
