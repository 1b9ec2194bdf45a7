import { quantityForm } from '../../domain/quantity.ts';
import { stepMilli } from '../../domain/stock/vocabulary.ts';
import { useUnitName } from '../formats/use-unit-name.ts';
import { NumberField } from './number-field.tsx';
import type { NumberFieldProps } from './number-field.tsx';

interface QuantityFieldProps extends Omit<NumberFieldProps, 'form' | 'format' | 'step' | 'unit'> {
  /** The item's unit, whose smallest step the arrow keys take; empty while no item is chosen. */
  unit: string;
}

/** Field for a quantity of stock. It shows the unit at its end. */
export function QuantityField({ unit, ...rest }: QuantityFieldProps) {
  const unitName = useUnitName();
  const step = stepMilli(unit);
  return <NumberField form={quantityForm(step)} step={step} {...(unit && { unit: unitName(unit) })} {...rest} />;
}
