import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { ComponentProps, FocusEvent, KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { formatDecimal, readDecimal, writeDecimal } from '#domain/decimal.ts';
import type { DecimalFault, DecimalForm } from '#domain/decimal.ts';
import { StyledTextField } from '../ui/styled.tsx';
import { useTypedNumber } from './use-typed-number.ts';

export interface NumberFieldProps extends Omit<
  ComponentProps<typeof StyledTextField>,
  'type' | 'value' | 'onChange' | 'start' | 'step'
> {
  /** The number as typed. */
  text: string;
  onText: (text: string) => void;
  kind: DecimalForm;
  /** Stands at the start of the field. */
  lead?: string | undefined;
  /** Stands behind the number. */
  unit?: string | undefined;
  /** Makes the arrow keys change the number by this much, in units of its last decimal. */
  step?: number | undefined;
  /** Formats what was understood. */
  format?: (scaled: number) => string;
}

/** A number field of a form in place of one that is given its text. */
export type FormFieldProps<Draft extends FieldValues, Props> = Omit<Props, 'text' | 'onText' | 'form' | 'name'> & {
  form: Pick<UseFormReturn<Draft>, 'control'>;
  name: FieldPath<Draft>;
};

/**
 * Text field for a number (`domain/decimal.ts`). While somebody types, the text stays as it is, so that the caret does;
 * a quiet text at the start says how it is read if that is not plain. Afterwards the field shows the number as the clinic
 * writes it. A text that cannot be read stays, with a sentence that says how to write it.
 */
export function NumberField({
  text,
  onText,
  kind,
  lead = '',
  unit,
  step,
  format = (scaled) => formatDecimal(scaled, kind),
  error,
  end,
  onFocus,
  onBlur,
  onKeyDown,
  ...rest
}: NumberFieldProps) {
  const [isFocused, setFocused] = useState(false);
  const [wasLeft, setLeft] = useState(false);
  const faultText = useFaultText(kind);
  const { scaled = null, fault } = readDecimal(text, kind);
  const written = scaled === null ? text : writeDecimal(scaled, kind);
  const shown = scaled === null ? text : formatDecimal(scaled, kind);
  const reading = isFocused && scaled !== null && text !== shown ? format(scaled) : '';

  function focus(event: FocusEvent<HTMLInputElement>) {
    // Groups would be wrong after the next digit, so the field drops them before it selects its text.
    flushSync(() => setFocused(true));
    event.target.select();
    onFocus?.(event);
  }
  function blur(event: FocusEvent<HTMLInputElement>) {
    setFocused(false);
    setLeft(true);
    if (written !== text) onText(written);
    onBlur?.(event);
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    onKeyDown?.(event);
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (!step || direction === 0 || fault || rest.readOnly) return;
    event.preventDefault();
    onText(writeDecimal(Math.max(0, (scaled ?? 0) + direction * step), kind));
  }

  const unitSpace = unit && `min(${unit.length * 0.55 + 1.5}rem, 55%)`;
  return (
    <StyledTextField
      type="text"
      inputMode={kind.decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      textAlign="end"
      fontVariantNumeric="tabular-nums"
      {...(unitSpace && !end && { paddingInlineEnd: unitSpace })}
      {...rest}
      value={isFocused ? text : shown}
      error={fault && (wasLeft || error) ? faultText(fault, text) : error}
      onChange={(event) => onText(event.target.value)}
      onFocus={focus}
      onBlur={blur}
      onKeyDown={press}
      start={
        (lead || reading) && (
          // One line that breaks after the currency: beside a long text in a narrow field only the currency is left.
          <chakra.span
            fontSize="sm"
            fontWeight="normal"
            fontVariantNumeric="tabular-nums"
            maxWidth={reading && `calc(100% - ${text.length * widthOfDigit(rest.fontSize)}ch)`}
            height="1.5em"
            overflow="hidden"
          >
            {reading || lead}
          </chakra.span>
        )
      }
      end={
        end ??
        (unit && (
          <chakra.span
            minWidth="0"
            overflow="hidden"
            textOverflow="ellipsis"
            whiteSpace="nowrap"
            pe="3"
            fontSize="sm"
            color="fg.muted"
            pointerEvents="none"
          >
            {unit}
          </chakra.span>
        ))
      }
    />
  );
}

/** The width of a digit of the field, in digits of the reading at its start, which is smaller. */
const widthOfDigit = (fontSize: unknown): number => (fontSize === 'xl' ? 2.3 : 1.15);

/** Field for a percentage or a whole number of a form. */
export function FormNumberField<Draft extends FieldValues>({
  form,
  name,
  ...rest
}: FormFieldProps<Draft, NumberFieldProps>) {
  return <NumberField {...useTypedNumber(form, name, rest.kind)} {...rest} />;
}

function useFaultText(kind: DecimalForm): (fault: DecimalFault, text: string) => string {
  const { t } = useTranslation();
  return (fault, text) => {
    switch (fault) {
      case 'NUMBER_TOO_FINE':
        return t('form.number.tooFine', { count: kind.decimals });
      case 'NUMBER_NOT_WHOLE':
        return t('problems.NUMBER_NOT_WHOLE');
      case 'NUMBER_TOO_LARGE':
        return t('form.number.tooLarge');
      case 'NUMBER_INVALID':
        return t('form.number.invalid', { text, example: formatDecimal(Math.floor(12.5 * 10 ** kind.decimals), kind) });
    }
  };
}
