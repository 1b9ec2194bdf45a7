import { amountForm } from '../../domain/decimal.ts';
import { currencyLabel, formatMinor } from '../../domain/money.ts';
import { useCurrency } from '../local-data/use-clinic-settings.ts';
import { NumberField } from './number-field.tsx';
import type { NumberFieldProps } from './number-field.tsx';

interface MoneyFieldProps extends Omit<NumberFieldProps, 'form' | 'format' | 'unit'> {
  /** The clinic's currency if omitted. */
  currency?: string;
}

/** Field for an amount. It shows the currency at its start. */
export function MoneyField({ currency, ...rest }: MoneyFieldProps) {
  const own = useCurrency();
  const label = currencyLabel(currency ?? own);
  return (
    <NumberField
      form={amountForm}
      lead={label}
      format={(minor) => formatMinor(minor, label)}
      paddingInlineStart="14"
      {...rest}
    />
  );
}
