import type { FieldValues } from 'react-hook-form';
import { quantityForm } from '#domain/decimal.ts';
import { stepMilli } from '#domain/stock/vocabulary.ts';
import { useUnitName } from '../formats/use-unit-name.ts';
import { NumberField } from './number-field.tsx';
import type { FormFieldProps, NumberFieldProps } from './number-field.tsx';
import { useTypedNumber } from './use-typed-number.ts';

interface QuantityFieldProps extends Omit<NumberFieldProps, 'kind' | 'format' | 'step' | 'unit'> {
  /** The item's unit, whose smallest step the arrow keys take; empty while no item is chosen. */
  unit: string;
  /** What an empty field holds. */
  whenEmpty?: 0 | null;
}

/** Field for a quantity of stock in a form. It shows the unit at its end. */
export function QuantityField<Draft extends FieldValues>({
  form,
  name,
  unit,
  whenEmpty = 0,
  ...rest
}: FormFieldProps<Draft, QuantityFieldProps>) {
  const unitName = useUnitName();
  return (
    <NumberField
      kind={quantityForm}
      step={stepMilli(unit)}
      {...(unit && { unit: unitName(unit) })}
      {...useTypedNumber(form, name, quantityForm, whenEmpty)}
      {...rest}
    />
  );
}
