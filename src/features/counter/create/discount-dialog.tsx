import { chakra, Grid } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { discountOf } from '#domain/order/discount.ts';
import type { Discount } from '#domain/order/discount.ts';
import { isReasonTooShort } from '#domain/reason.ts';
import { textLimits } from '#domain/limits.ts';
import { unbroken } from '#src/formats/money.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Key } from '#src/ui/key.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { StyledButton, StyledTextField } from '#src/ui/styled.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { parseDiscount, discountInputOf } from './discount-input.ts';
import { percent, useDiscountLimit } from './use-discount-limit.ts';

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

interface PresetsProps {
  kind: Discount['kind'];
  subtotalMinor: number;
  currency: string;
  chosen: Discount | null;
  onChoose: (value: number) => void;
}

function Presets({ kind, subtotalMinor, currency, chosen, onChoose }: PresetsProps) {
  const { t } = useTranslation();
  const isPercent = kind === 'percent';
  return (
    <Grid as="fieldset" aria-label={t('counter.discount.presets')} templateColumns="repeat(4, minmax(0, 1fr))" gap="2">
      {presetsOf(kind, subtotalMinor).map((value) => (
        <Key
          key={value}
          size="md"
          aria-pressed={chosen !== null && (chosen.kind === 'percent' ? chosen.bps : chosen.minor) === value * 100}
          aria-label={isPercent ? undefined : formatMinor(value * 100, currencyLabel(currency))}
          onClick={() => onChoose(value)}
        >
          {isPercent ? `${percent(value)} %` : value}
        </Key>
      ))}
    </Grid>
  );
}

/** Keeps what is typed, and says where it cannot be saved yet. */
function useDiscountForm(subtotalMinor: number, currency: string, onClose: () => void) {
  const { discount } = usePlan(currentDraft);
  const [input, setInput] = useState(() => discountInputOf(discount));
  const [reason, setReason] = useState(discount?.reason ?? '');
  const [submitted, setSubmitted] = useState(false);
  const valueField = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLInputElement>(null);
  const { isOver } = useDiscountLimit(subtotalMinor, currency);
  const parsed = parseDiscount(input);
  // After the dialog itself has opened, which puts the focus on its first button.
  useEffect(() => {
    const frame = requestAnimationFrame(() => valueField.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);

  const lacksReason = (next: Discount | null) =>
    next !== null && isOver(discountOf(next, subtotalMinor)) && isReasonTooShort(reason);

  function save(next: typeof discount) {
    usePlan.getState().setDiscount(next);
    onClose();
  }

  function apply(next: Discount | null) {
    setSubmitted(true);
    if (!next) valueField.current?.focus();
    else if (lacksReason(next)) reasonField.current?.focus();
    else save({ ...next, reason: reason.trim() });
  }

  return {
    ...input,
    parsed,
    valueField,
    reasonField,
    reason,
    setReason,
    isUnreadable: submitted && !parsed,
    isReasonMissing: submitted && lacksReason(parsed),
    type: (text: string) => setInput({ ...input, text }),
    chooseKind: (kind: Discount['kind']) => {
      setInput({ kind, text: '' });
      setSubmitted(false);
    },
    choose: (value: number) => {
      const next = { kind: input.kind, text: String(value) };
      setInput(next);
      // The reason is asked for by its focus: nobody has done anything wrong yet.
      if (lacksReason(parseDiscount(next))) reasonField.current?.focus();
      else apply(parseDiscount(next));
    },
    submit: () => apply(parsed),
    remove: discount && (() => save(undefined)),
  };
}

/**
 * Edits the plan's discount: a percentage, which follows later changes of the plan, or an amount. A preset within the limit
 * applies at once; one above it goes on to the reason.
 */
export function DiscountDialog({ subtotalMinor, currency, onClose }: DiscountDialogProps) {
  const { t } = useTranslation();
  const { limit, approvalRule, needsApproval } = useDiscountLimit(subtotalMinor, currency);
  const { valueField, reasonField, ...form } = useDiscountForm(subtotalMinor, currency, onClose);
  const { kind, parsed } = form;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const isPercent = kind === 'percent';
  const discountMinor = parsed ? discountOf(parsed, subtotalMinor) : 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('counter.discount.title')}
      onSubmit={form.submit}
      actions={
        <>
          {form.remove && (
            <StyledButton variant="quiet" me="auto" onClick={form.remove}>
              {t('counter.discount.remove')}
            </StyledButton>
          )}
          <Button onClick={onClose}>{t('form.cancel')}</Button>
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
        onChange={form.chooseKind}
        segments={[
          { value: 'percent', label: t('counter.discount.percent') },
          { value: 'amount', label: t('counter.discount.amount') },
        ]}
      />
      <Presets kind={kind} subtotalMinor={subtotalMinor} currency={currency} chosen={parsed} onChoose={form.choose} />
      <StyledTextField
        label={isPercent ? t('counter.discount.percentValue') : t('counter.discount.amountValue')}
        ref={valueField}
        inputMode="decimal"
        autoComplete="off"
        value={form.text}
        error={
          form.isUnreadable
            ? t(isPercent ? 'counter.discount.percentWrong' : 'counter.discount.amountWrong')
            : undefined
        }
        hint={parsed?.kind === 'amount' && parsed.minor > subtotalMinor ? t('counter.discount.capped') : undefined}
        onChange={(event) => form.type(event.target.value)}
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
        error={form.isReasonMissing ? t('counter.discount.reasonShort', { limit }) : undefined}
        maxLength={textLimits.reason}
        autoComplete="off"
        value={form.reason}
        onChange={(event) => form.setReason(event.target.value)}
      />
      <chakra.div display="flex" flexDirection="column" gap="2" fontVariantNumeric="tabular-nums">
        {approvalRule && (
          <chakra.p fontSize="sm" textWrap="pretty" color={needsApproval(discountMinor) ? 'due.fg' : 'fg.muted'}>
            {approvalRule}
          </chakra.p>
        )}
        {/* Keeps its line, so that the buttons stay in place. */}
        <chakra.p aria-live="polite" minHeight="6">
          {discountMinor > 0 &&
            t('counter.discount.comesTo', {
              discount: unbroken(money(discountMinor)),
              subtotal: unbroken(money(subtotalMinor)),
            })}
        </chakra.p>
      </chakra.div>
    </Dialog>
  );
}
