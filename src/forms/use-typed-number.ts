import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { readDecimal, writeDecimal } from '#domain/decimal.ts';
import type { DecimalForm } from '#domain/decimal.ts';

/**
 * Connects a number of a form with a number field: the form holds the number as on the wire, the field what is typed. An
 * empty field is 0, or null if the form takes it; a text that cannot be read is NaN, which no form sends
 * (`draft-form.ts`).
 */
export function useTypedNumber<Draft extends FieldValues>(
  form: Pick<UseFormReturn<Draft>, 'control'>,
  name: FieldPath<Draft>,
  decimalForm: DecimalForm,
  whenEmpty: 0 | null = 0,
) {
  const { field } = useController({ control: form.control, name });
  const value = field.value as number | null;
  const scale = 10 ** decimalForm.decimals;
  const [typed, setTyped] = useState<{ text: string; value: number | null }>();
  const isCurrent = typed !== undefined && Object.is(typed.value, value);
  return {
    ref: field.ref,
    onBlur: () => {
      field.onBlur();
      // An empty field shows the 0 that it stands for.
      if (!Number.isNaN(value)) setTyped(undefined);
    },
    text: isCurrent ? typed.text : value === null ? '' : writeDecimal(Math.round(value * scale), decimalForm),
    onText: (text: string) => {
      const { scaled, fault } = readDecimal(text, decimalForm);
      const next = fault ? Number.NaN : scaled === null ? whenEmpty : scaled / scale;
      setTyped({ text, value: next });
      field.onChange(next);
    },
  };
}
