import { chakra, Flex } from '@chakra-ui/react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentMethod } from '../../../../domain/order/vocabulary.ts';
import type { OrderRow } from '../../../db/database.ts';
import { MoneyText } from '../../../formats/money-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { KeyHint } from '../keyboard-shortcuts.tsx';
import { CashKeypad } from '../../../tender/cash-keypad.tsx';
import { amountMinor, amountText, pressKey, proposeAmount } from '../../../tender/keypad.ts';
import { MethodPicker } from '../../../tender/method-picker.tsx';
import { QuickAmounts } from './quick-amounts.tsx';
import type { Tender } from './use-payment-actions.ts';

interface TenderFormProps {
  order: OrderRow;
  pending: boolean;
  onPay: (tender: Tender) => void;
}

/** How the customer pays, and how much. The amount starts as what is due, so an exact payment is one tap. */
export function TenderForm({ order, pending, onPay }: TenderFormProps) {
  const { t } = useTranslation();
  const { balanceMinor, currency } = order;
  const [method, setMethod] = useState<PaymentMethod>('cash');
  const [entry, setEntry] = useState(() => proposeAmount(balanceMinor));
  const [reference, setReference] = useState('');
  const [error, setError] = useState<string>();
  const amountField = useRef<HTMLInputElement>(null);
  // Ready for keys, and for Enter, from the moment that it is seen: a fast hand presses then, and not after the next paint. A
  // tablet shows no keyboard for it: cash has a keypad of its own.
  useLayoutEffect(() => amountField.current?.focus({ preventScroll: true }), []);
  const tenderedMinor = amountMinor(entry.text);
  const isCash = method === 'cash';

  function change(next: typeof entry) {
    setEntry(next);
    setError(undefined);
  }

  function chooseMethod(next: PaymentMethod) {
    setMethod(next);
    // More than what is due makes sense in cash only.
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
      <TextField
        label={t('counter.payment.amount')}
        labelHidden
        start={t('counter.payment.amount')}
        type="number"
        step="0.01"
        min="0"
        // The keypad below replaces the keyboard of the screen; keys of a real one still arrive.
        inputMode={isCash ? 'none' : 'decimal'}
        autoComplete="off"
        ref={amountField}
        value={entry.text}
        error={error}
        onFocus={(event) => event.target.select()}
        onChange={(event) => change({ text: event.target.value, untouched: false })}
        onWheel={(event) => event.currentTarget.blur()}
        minHeight={{ base: '12', md: '16' }}
        fontSize="xl"
        fontWeight="semibold"
        textAlign="end"
        fontVariantNumeric="tabular-nums"
        css={{ appearance: 'textfield', '&::-webkit-inner-spin-button': { display: 'none' } }}
      />
      {isCash ? (
        <>
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
      {/* A phone has no room to spare: a bar that stayed in sight would half cover the keys. */}
      <chakra.div
        mt="auto"
        position={{ md: 'sticky' }}
        bottom="0"
        pt={{ md: '2' }}
        pb={{ base: '2', md: '4' }}
        bg="bg.surface"
      >
        <Remainder leftMinor={balanceMinor - (tenderedMinor ?? 0)} currency={currency} />
        <Button type="submit" variant="primary" size="lg" minHeight={{ base: '14', md: '16' }} wide disabled={pending}>
          {t('counter.payment.process')}
          <KeyHint keys={['↵']} />
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

/** What goes back, or what stays due. It keeps its place when there is neither. */
function Remainder({ leftMinor, currency }: { leftMinor: number; currency: string }) {
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
      {leftMinor !== 0 && (
        <>
          <span>{leftMinor < 0 ? t('counter.payment.change') : t('counter.payment.remains')}</span>
          <MoneyText
            minor={Math.abs(leftMinor)}
            currency={currency}
            fontSize="lg"
            color={leftMinor < 0 ? 'paid.fg' : 'due.fg'}
          />
        </>
      )}
    </Flex>
  );
}
