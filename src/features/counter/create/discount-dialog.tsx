import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { discountOf } from '../../../../domain/order/discount.ts';
import { isReasonTooShort } from '../../../../domain/reason.ts';
import { textLimits } from '../../../db/commands/storable-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { parseDiscount, discountInputOf } from './discount-input.ts';
import { useDiscountLimit } from './use-discount-limit.ts';

interface DiscountDialogProps {
  subtotalMinor: number;
  currency: string;
  onClose: () => void;
}

/** Edits the plan's discount: a percentage, which follows later changes of the plan, or an amount. */
export function DiscountDialog({ subtotalMinor, currency, onClose }: DiscountDialogProps) {
  const { t } = useTranslation();
  const { discount } = usePlan(currentDraft);
  const [input, setInput] = useState(() => discountInputOf(discount));
  const [reason, setReason] = useState(discount?.reason ?? '');
  const [submitted, setSubmitted] = useState(false);
  const { limit, mayExceed, objection } = useDiscountLimit(subtotalMinor, currency);
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const { kind, text } = input;
  const isPercent = kind === 'percent';
  const parsed = parseDiscount(input);
  const discountMinor = parsed ? discountOf(parsed, subtotalMinor) : 0;
  const objectionText = parsed && objection(discountMinor, reason);
  const parseError = isPercent ? t('counter.discount.percentWrong') : t('counter.discount.amountWrong');
  const isReasonShort = objectionText !== null && mayExceed && isReasonTooShort(reason);
  const valueError = !parsed ? submitted && parseError : !isReasonShort && objectionText;

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setSubmitted(true);
    if (parsed && !objectionText) save({ ...parsed, reason: reason.trim() });
  }

  function save(next: typeof discount) {
    usePlan.getState().setDiscount(next);
    onClose();
  }

  return (
    <Dialog open onClose={onClose} title={t('counter.discount.title')}>
      <chakra.form noValidate onSubmit={submit} display="flex" flexDirection="column" gap="4">
        <Segmented
          kind="choice"
          label={t('counter.discount.kind')}
          value={kind}
          onChange={(next) => setInput({ kind: next, text: '' })}
          segments={[
            { value: 'percent', label: t('counter.discount.percent') },
            { value: 'amount', label: t('counter.discount.amount') },
          ]}
        />
        <TextField
          label={isPercent ? t('counter.discount.percentValue') : t('counter.discount.amountValue')}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={valueError || undefined}
          hint={parsed?.kind === 'amount' && parsed.minor > subtotalMinor ? t('counter.discount.capped') : undefined}
          onChange={(event) => setInput({ kind, text: event.target.value })}
          textAlign="end"
          fontVariantNumeric="tabular-nums"
          end={
            isPercent && (
              <chakra.span width="12" textAlign="center" color="fg.muted">
                %
              </chakra.span>
            )
          }
        />
        <TextField
          label={t('counter.discount.reason')}
          hint={mayExceed ? t('counter.discount.reasonNeeded', { limit }) : t('counter.discount.reasonHint')}
          error={submitted && isReasonShort ? (objectionText ?? undefined) : undefined}
          maxLength={textLimits.reason}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <chakra.p aria-live="polite" minHeight="6" fontVariantNumeric="tabular-nums">
          {discountMinor > 0 &&
            t('counter.discount.comesTo', { discount: money(discountMinor), subtotal: money(subtotalMinor) })}
        </chakra.p>
        <Flex wrap="wrap" justify="flex-end" gap="2">
          {discount && (
            <Button variant="quiet" me="auto" onClick={() => save(undefined)}>
              {t('counter.discount.remove')}
            </Button>
          )}
          <Button onClick={onClose}>{t('counter.discount.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('counter.discount.save')}
          </Button>
        </Flex>
      </chakra.form>
    </Dialog>
  );
}
