import { chakra, Flex, Grid } from '@chakra-ui/react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
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
import { quickAmounts } from './quick-amounts.ts';
import type { Tender } from './use-payment-actions.ts';

interface TenderFormProps {
  order: OrderRow;
  pending: boolean;
  onPay: (tender: Tender) => void;
}

/** Takes the payment method and amount. The amount starts as the balance, so that an exact payment is one tap. */
export function TenderForm({ order, pending, onPay }: TenderFormProps) {
  const { t } = useTranslation();
  const { balanceMinor, currency } = order;
  const [method, setMethod] = useState<PaymentMethod>('cash');
  const [entry, setEntry] = useState(() => proposeAmount(balanceMinor));
  const [reference, setReference] = useState('');
  const [error, setError] = useState<string>();
  const amountField = useRef<HTMLInputElement>(null);
  // A layout effect, so that the field takes keys before the first paint. Tablets show no screen keyboard for cash, which
  // has its own keypad.
  useLayoutEffect(() => amountField.current?.focus({ preventScroll: true }), []);
  const tenderedMinor = amountMinor(entry.text);
  const isCash = method === 'cash';

  function change(next: typeof entry) {
    setEntry(next);
    setError(undefined);
  }

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
        inputMode={isCash ? 'none' : 'decimal'}
        ref={amountField}
        text={entry.text}
        onText={(text) => change({ text, untouched: false })}
        error={error}
        minHeight={{ base: '12', md: '16' }}
        fontSize="xl"
        fontWeight="semibold"
      />
      {isCash ? (
        <>
          <DrawerPrompt />
          <QuickAmounts
            dueMinor={balanceMinor}
            chosenMinor={tenderedMinor}
            currency={currency}
            onChoose={(minor) => change({ text: amountText(minor), untouched: true })}
          />
          <CashKeypad onPress={(key) => change(pressKey(entry, key))} />
        </>
      ) : (
        <TextField
          label={t('counter.payment.reference')}
          placeholder={t('counter.payment.referenceHint')}
          maxLength={100}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.target.value)}
        />
      )}
      {/* Not sticky on phones, where the bar would cover the keypad. */}
      <chakra.div
        mt="auto"
        position={{ md: 'sticky' }}
        bottom="0"
        pt={{ md: '2' }}
        pb={{ base: '2', md: '4' }}
        bg="bg.surface"
      >
        <Remainder remainingMinor={balanceMinor - (tenderedMinor ?? 0)} currency={currency} />
        <Button type="submit" variant="primary" size="lg" minHeight={{ base: '14', md: '16' }} wide disabled={pending}>
          {t('counter.payment.process')}
          <KeyHint keys={['↵']} />
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

interface QuickAmountsProps {
  dueMinor: number;
  chosenMinor: number | null;
  currency: string;
  onChoose: (minor: number) => void;
}

function QuickAmounts({ dueMinor, chosenMinor, currency, onChoose }: QuickAmountsProps) {
  const { t } = useTranslation();
  return (
    <Grid as="fieldset" aria-label={t('counter.payment.quick')} templateColumns="repeat(4, minmax(0, 1fr))" gap="2">
      {quickAmounts(dueMinor).map(({ kind, minor }) => {
        const amount = formatAmount(minor);
        const spoken = formatMinor(minor, currencyLabel(currency));
        return (
          <Key
            key={kind}
            type="button"
            minHeight="12"
            fontSize="md"
            aria-pressed={minor === chosenMinor}
            aria-label={kind === 'exact' ? `${t('counter.payment.exact')} ${spoken}` : spoken}
            onClick={() => onChoose(minor)}
            _pressed={{ bg: 'accent.subtle', borderColor: 'accent.solid', color: 'accent.fg' }}
          >
            {kind === 'exact' ? t('counter.payment.exact') : amount}
          </Key>
        );
      })}
    </Grid>
  );
}

/** Shows the change or the amount that stays due. Keeps its height when both are zero. */
function Remainder({ remainingMinor, currency }: { remainingMinor: number; currency: string }) {
  const { t } = useTranslation();
  return (
    <Flex
      aria-live="polite"
      justify="space-between"
      align="baseline"
      minHeight={{ base: '7', md: '8' }}
      pb={{ md: '2' }}
      fontWeight="medium"
    >
      {remainingMinor !== 0 && (
        <>
          <span>{remainingMinor < 0 ? t('counter.payment.change') : t('counter.payment.remains')}</span>
          <MoneyText
            minor={Math.abs(remainingMinor)}
            currency={currency}
            fontSize="lg"
            color={remainingMinor < 0 ? 'paid.fg' : 'due.fg'}
          />
        </>
      )}
    </Flex>
  );
}
