import { chakra, Grid } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { discountOf } from '#domain/order/discount.ts';
import type { Discount } from '#domain/order/discount.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { textLimits } from '#src/db/commands/storable-text.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Key } from '#src/ui/key.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { StyledButton, StyledTextField } from '#src/ui/styled.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { parseDiscount, discountInputOf } from './discount-input.ts';
import { useDiscountLimit } from './use-discount-limit.ts';

interface DiscountDialogProps {
  subtotalMinor: number;
  currency: string;
  onClose: () => void;
}

/** Common percentages, and amounts of the size of the plan, in whole units of the currency. */
function presetsOf(kind: Discount['kind'], subtotalMinor: number): number[] {
  if (kind === 'percent') return [5, 10, 15, 20];
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(subtotalMinor / 10_000)));
  return [5, 10, 20, 50].map((amount) => amount * scale);
}

/**
 * Edits the plan's discount: a percentage, which follows later changes of the plan, or an amount. A preset within the limit
 * applies at once; one above it goes on to the reason.
 */
export function DiscountDialog({ subtotalMinor, currency, onClose }: DiscountDialogProps) {
  const { t } = useTranslation();
  const { discount } = usePlan(currentDraft);
  const [input, setInput] = useState(() => discountInputOf(discount));
  const [reason, setReason] = useState(discount?.reason ?? '');
  const [submitted, setSubmitted] = useState(false);
  const valueField = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLInputElement>(null);
  const { limit, percent, isOver, needsApproval } = useDiscountLimit(subtotalMinor, currency);
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const { kind, text } = input;
  const isPercent = kind === 'percent';
  const parsed = parseDiscount(input);
  const discountMinor = parsed ? discountOf(parsed, subtotalMinor) : 0;
  const parseError = isPercent ? t('counter.discount.percentWrong') : t('counter.discount.amountWrong');
  // After the dialog itself has opened, which puts the focus on its first button.
  useEffect(() => {
    const frame = requestAnimationFrame(() => valueField.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);

  const lacksReason = (next: Discount | null) =>
    next !== null && isOver(discountOf(next, subtotalMinor)) && isReasonTooShort(reason);

  function apply(next: Discount | null) {
    setSubmitted(true);
    if (!next) valueField.current?.focus();
    else if (lacksReason(next)) reasonField.current?.focus();
    else save({ ...next, reason: reason.trim() });
  }

  function choose(value: number) {
    const next = { kind, text: String(value) };
    setInput(next);
    apply(parseDiscount(next));
  }

  function submit() {
    apply(parsed);
  }

  function save(next: typeof discount) {
    usePlan.getState().setDiscount(next);
    onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('counter.discount.title')}
      onSubmit={submit}
      actions={
        <>
          {discount && (
            <StyledButton variant="quiet" me="auto" onClick={() => save(undefined)}>
              {t('counter.discount.remove')}
            </StyledButton>
          )}
          <Button onClick={onClose}>{t('counter.discount.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('counter.discount.save')}
          </Button>
        </>
      }
    >
      <Segmented
        kind="choice"
        label={t('counter.discount.kind')}
        value={kind}
        onChange={(next) => {
          setInput({ kind: next, text: '' });
          setSubmitted(false);
        }}
        segments={[
          { value: 'percent', label: t('counter.discount.percent') },
          { value: 'amount', label: t('counter.discount.amount') },
        ]}
      />
      <Grid
        as="fieldset"
        aria-label={t('counter.discount.presets')}
        templateColumns="repeat(4, minmax(0, 1fr))"
        gap="2"
      >
        {presetsOf(kind, subtotalMinor).map((value) => (
          <Key
            key={value}
            size="md"
            aria-pressed={parsed !== null && (parsed.kind === 'percent' ? parsed.bps : parsed.minor) === value * 100}
            aria-label={isPercent ? undefined : money(value * 100)}
            onClick={() => choose(value)}
          >
            {isPercent ? `${percent(value)} %` : value}
          </Key>
        ))}
      </Grid>
      <StyledTextField
        label={isPercent ? t('counter.discount.percentValue') : t('counter.discount.amountValue')}
        ref={valueField}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={!parsed && submitted ? parseError : undefined}
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
        ref={reasonField}
        hint={t('counter.discount.reasonNeeded', { limit })}
        error={submitted && lacksReason(parsed) ? t('counter.discount.reasonShort', { limit }) : undefined}
        maxLength={textLimits.reason}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {/* Three lines high, so that the buttons stay in place. */}
      <chakra.div aria-live="polite" minHeight="18" fontVariantNumeric="tabular-nums">
        {discountMinor > 0 && (
          <p>{t('counter.discount.comesTo', { discount: money(discountMinor), subtotal: money(subtotalMinor) })}</p>
        )}
        <chakra.p color="due.fg">{needsApproval(discountMinor)}</chakra.p>
      </chakra.div>
    </Dialog>
  );
}
