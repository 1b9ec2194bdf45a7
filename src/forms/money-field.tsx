import type { FieldValues } from 'react-hook-form';
import { amountForm } from '#domain/decimal.ts';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { useCurrency } from '../local-data/use-clinic-settings.ts';
import { NumberField } from './number-field.tsx';
import type { FormFieldProps, NumberFieldProps } from './number-field.tsx';
import { useTypedNumber } from './use-typed-number.ts';

interface MoneyFieldProps extends Omit<NumberFieldProps, 'kind' | 'format' | 'unit'> {
  /** The clinic's currency if omitted. */
  currency?: string;
}

/** As wide as the currency, the widest amount that a clinic usually meets (12.345,67), and the space around them. */
const minWidth = 'calc(4.375rem + 9ch)';

/** Field for an amount. It shows the currency at its start, and never less than its whole amount. */
export function MoneyField({ currency, ...rest }: MoneyFieldProps) {
  const own = useCurrency();
  const label = currencyLabel(currency ?? own);
  return (
    <NumberField
      kind={amountForm}
      lead={label}
      format={(minor) => formatMinor(minor, label)}
      paddingInlineStart="14"
      minWidth={minWidth}
      data-amount
      {...rest}
    />
  );
}

/** Field for an amount of a form, which holds a wire decimal. */
export function FormMoneyField<Draft extends FieldValues>({
  form,
  name,
  ...rest
}: FormFieldProps<Draft, MoneyFieldProps>) {
  return <MoneyField {...useTypedNumber(form, name, amountForm)} {...rest} />;
}
