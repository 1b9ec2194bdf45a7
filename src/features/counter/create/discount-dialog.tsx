import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { discountOf } from '../../../../domain/order/discount.ts';
import { minReasonLength } from '../../../../domain/protocol/operations.ts';
import { textLimits } from '../../../db/commands/storable-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { parseDiscount, discountInputOf } from './discount-input.ts';
import { useDiscountLimit } from './use-discount-limit.ts';

interface DiscountDialogProps {
  /** What the services of the plan come to. */
  subtotalMinor: number;
  currency: string;
  onClose: () => void;
}

/** How much is taken off the plan: a part of it, which follows the plan, or an amount. */
export function DiscountDialog({ subtotalMinor, currency, onClose }: DiscountDialogProps) {
  const { t } = useTranslation();
  const { discount } = usePlan(currentDraft);
  const [typed, setTyped] = useState(() => discountInputOf(discount));
  const [reason, setReason] = useState(discount?.reason ?? '');
  const [asked, setAsked] = useState(false);
  const { limit, mayExceed, objection } = useDiscountLimit(subtotalMinor, currency);
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const { kind, text } = typed;
  const isPercent = kind === 'percent';
  const read = parseDiscount(typed);
  const discountMinor = read ? discountOf(read, subtotalMinor) : 0;
  const objectionText = read && objection(discountMinor, reason);
  const unread = isPercent ? t('counter.discount.percentWrong') : t('counter.discount.amountWrong');
  const isShort = objectionText !== null && mayExceed && reason.trim().length < minReasonLength;
  const valueError = !read ? asked && unread : !isShort && objectionText;

  function submit(event: SubmitEvent) {
    event.preventDefault();
    setAsked(true);
    if (read && !objectionText) keep({ ...read, reason: reason.trim() });
  }

  function keep(next: typeof discount) {
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
          onChange={(next) => setTyped({ kind: next, text: '' })}
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
          hint={read?.kind === 'amount' && read.minor > subtotalMinor ? t('counter.discount.capped') : undefined}
          onChange={(event) => setTyped({ kind, text: event.target.value })}
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
          error={asked && isShort ? (objectionText ?? undefined) : undefined}
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
            <Button variant="quiet" me="auto" onClick={() => keep(undefined)}>
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
