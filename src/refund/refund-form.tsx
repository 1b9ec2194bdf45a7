import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { refundReachesCashLimit } from '#domain/order/cash-limit.ts';
import { refundMethod, refundOfLines } from '#domain/order/decisions.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { textLimits } from '#domain/limits.ts';
import type { OrderRow } from '../db/database.ts';
import { MoneyField } from '../forms/money-field.tsx';
import { ApprovalNeeded, useNobodyApproves } from '../approval/approval-needed.tsx';
import { useApproval } from '../approval/approval.ts';
import { useClinicSettings } from '../local-data/use-clinic-settings.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { mediaQuery } from '../ui/media-query.ts';
import { TextField } from '../ui/text-field.tsx';
import { StyledButton } from '../ui/styled.tsx';
import type { PrintContent } from '../printing/document-element.ts';
import { DocumentPreview } from '../printing/document-preview.tsx';
import { CashKeypad } from '../tender/cash-keypad.tsx';
import { amountMinor, pressKey, proposeAmount } from '../tender/keypad.ts';
import { MethodPicker } from '../tender/method-picker.tsx';
import { PaidSoFar } from './paid-so-far.tsx';
import { RefundLines } from './refund-lines.tsx';
import { useConsequence } from './use-consequence.ts';

export interface ChosenRefund {
  amountMinor: number;
  method: PaymentMethod;
  reason: string;
  /** The refunded services; absent for an amount. */
  lineIds?: string[];
  /** True when the money was taken by mistake and the treatment is still to be paid; names no services. */
  isStillOwed: boolean;
}

interface RefundFormProps {
  order: OrderRow;
  proposedMinor: number;
  pending: boolean;
  /** Returns the credit note as it would print now. */
  documentOf: (refund: ChosenRefund) => PrintContent;
  onRefund: (refund: ChosenRefund) => void;
  onClose: () => void;
}

/** Frequent reasons, so that a refund needs no keyboard. */
const reasons = ['unsatisfied', 'mistake', 'notDone'] as const;

/** Touch screens with enough room show the keypad instead of the on-screen keyboard. */
const useHasKeypad = mediaQuery('(pointer: coarse) and (width >= 48rem) and (height >= 30rem)');
const useIsLow = mediaQuery('(height < 30rem)');

/** Where the parts of the form stand: all are in sight at once, unless the window is narrow. */
const places = (hasKeypad: boolean) => ({
  display: 'grid',
  columnGap: '{spacing.6}',
  rowGap: '{spacing.4}',
  gridTemplate: hasKeypad
    ? "'paid paid' 'amount keys' 'rest keys' 1fr / minmax(0, 1fr) 17rem"
    : "'paid' 'amount' 'rest' / minmax(0, 1fr)",
  ...(!hasKeypad && {
    '@media (width >= 46rem)': { gridTemplate: "'paid rest' 'amount rest' 1fr / minmax(0, 1fr) minmax(0, 1fr)" },
  }),
});

/** A dialog for the amount, method and reason of a refund, with its consequence and a preview. */
export function RefundForm({ order, proposedMinor, pending, documentOf, onRefund, onClose }: RefundFormProps) {
  const { t } = useTranslation();
  const [entry, setEntry] = useState(() => proposeAmount(proposedMinor));
  const [method, setMethod] = useState<PaymentMethod>(() => refundMethod(order));
  const [reason, setReason] = useState('');
  const [lineIds, setLineIds] = useState<string[]>([]);
  const [isStillOwed, setStillOwed] = useState(false);
  const [asked, setAsked] = useState(false);
  const hasKeypad = useHasKeypad();
  const isLow = useIsLow();
  const money = (minor: number) => formatMinor(minor, currencyLabel(order.currency));
  const settings = useClinicSettings();
  const nobodyApproves = useNobodyApproves('order.refund');
  const isApproving = useApproval((state) => state.pending !== null);
  const consequence = useConsequence(order);
  const minor = amountMinor(entry.text) ?? 0;
  const tooMuch = minor > order.paidMinor ? t('refund.amountTooHigh', { amount: money(order.paidMinor) }) : undefined;
  const amountError = tooMuch ?? (asked && minor === 0 ? t('refund.amountMissing') : undefined);
  const tooShort = isReasonTooShort(reason);
  const isValid = minor > 0 && !tooMuch;

  const chosen = {
    amountMinor: minor,
    method,
    reason: reason.trim(),
    isStillOwed,
    ...(lineIds.length > 0 && { lineIds }),
  };

  function chooseLines(ids: string[]) {
    setLineIds(ids);
    setStillOwed(false);
    setEntry(proposeAmount(ids.length === 0 ? proposedMinor : refundOfLines(order, ids)));
  }

  function chooseStillOwed(next: boolean) {
    if (lineIds.length > 0) chooseLines([]);
    setStillOwed(next);
  }

  function submit() {
    setAsked(true);
    if (isValid && !tooShort) onRefund(chosen);
  }

  return (
    <Dialog
      open
      // A manager's PIN takes the place of the form, which comes back if nobody approves.
      isBehind={isApproving}
      onClose={onClose}
      title={t('refund.title')}
      width="44rem"
      onSubmit={submit}
      note={
        // The message above the form says why nobody can agree to it.
        <chakra.p aria-live="polite">{!nobodyApproves && isValid && consequence(chosen)}</chakra.p>
      }
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={pending || nobodyApproves}>
            {t('refund.confirm', { amount: money(minor) })}
          </Button>
        </>
      }
    >
      {nobodyApproves && <ApprovalNeeded />}
      <chakra.div css={places(hasKeypad)}>
        <Flex gridArea="paid" direction="column" gap="4" minWidth="0">
          <PaidSoFar order={order} />
          <RefundLines order={order} lineIds={lineIds} onChange={chooseLines} />
        </Flex>
        <chakra.div gridArea="amount">
          <MoneyField
            label={t('refund.amount')}
            currency={order.currency}
            inputMode={hasKeypad ? 'none' : 'decimal'}
            text={entry.text}
            onText={(text) => setEntry({ text, untouched: false })}
            error={amountError}
            minHeight={isLow ? '12' : '16'}
            fontSize="xl"
            fontWeight="semibold"
          />
          <CheckField
            label={t('refund.stillOwed')}
            hint={t('refund.stillOwedHint')}
            checked={isStillOwed}
            onChange={(event) => chooseStillOwed(event.target.checked)}
          />
        </chakra.div>
        <Flex gridArea="rest" direction="column" gap="4" minWidth="0">
          <chakra.div>
            <chakra.p fontSize="sm" fontWeight="medium" mb="1.5">
              {t('refund.method')}
            </chakra.p>
            <MethodPicker method={method} onChange={setMethod} />
          </chakra.div>
          {method === 'cash' && refundReachesCashLimit(settings, order, minor) && (
            <Banner tone="due" title={t('counter.change.cashLimit')}>
              {t('refund.cashLimit')}
            </Banner>
          )}
          <TextField
            label={t('refund.reason')}
            hint={t('refund.reasonHint')}
            error={asked && tooShort ? t('refund.reasonShort') : undefined}
            maxLength={textLimits.reason}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <chakra.fieldset
            display="flex"
            flexWrap="wrap"
            gap="2"
            mt="-2"
            minWidth="0"
            aria-label={t('refund.reasons.label')}
          >
            {reasons.map((key) => (
              <StyledButton
                key={key}
                px="3"
                fontSize="sm"
                aria-pressed={reason === t(`refund.reasons.${key}`)}
                onClick={() => setReason(t(`refund.reasons.${key}`))}
              >
                {t(`refund.reasons.${key}`)}
              </StyledButton>
            ))}
          </chakra.fieldset>
        </Flex>
        {hasKeypad && (
          <Flex gridArea="keys" direction="column">
            <CashKeypad onPress={(key) => setEntry(pressKey(entry, key))} />
          </Flex>
        )}
      </chakra.div>
      {isValid && (
        <details>
          <chakra.summary cursor="pointer" fontWeight="medium" minHeight="12" alignContent="center">
            {t('refund.preview')}
          </chakra.summary>
          <DocumentPreview label={t('refund.preview')} content={documentOf(chosen)} />
        </details>
      )}
    </Dialog>
  );
}
