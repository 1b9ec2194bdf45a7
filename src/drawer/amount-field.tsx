import { Flex } from '@chakra-ui/react';
import { CashKeypad } from '../tender/cash-keypad.tsx';
import { pressKey } from '../tender/keypad.ts';
import type { AmountEntry } from '../tender/keypad.ts';
import { MoneyField } from '../forms/money-field.tsx';

interface AmountFieldProps {
  label: string;
  entry: AmountEntry;
  onChange: (entry: AmountEntry) => void;
  error?: string | undefined;
  isLarge?: boolean;
  /** Suppresses the screen keyboard, because a keypad is shown beside the field. */
  hasKeypad?: boolean;
  readOnly?: boolean;
  labelHidden?: boolean;
}

export function AmountField({
  label,
  entry,
  onChange,
  error,
  isLarge = false,
  hasKeypad = false,
  readOnly = false,
  labelHidden = false,
}: AmountFieldProps) {
  return (
    <MoneyField
      label={label}
      labelHidden={labelHidden}
      error={error}
      inputMode={hasKeypad ? 'none' : 'decimal'}
      readOnly={readOnly}
      text={entry.text}
      onText={(text) => onChange({ text, untouched: false })}
      {...(isLarge ? { minHeight: '16', fontSize: 'xl', fontWeight: 'semibold' } : {})}
    />
  );
}

export function AmountFieldWithKeypad({ entry, onChange, ...field }: Omit<AmountFieldProps, 'isLarge' | 'hasKeypad'>) {
  return (
    <Flex direction="column" gap="3">
      <AmountField
        {...field}
        entry={entry}
        onChange={onChange}
        isLarge
        hasKeypad={matchMedia('(pointer: coarse)').matches}
      />
      <CashKeypad onPress={(key) => onChange(pressKey(entry, key))} />
    </Flex>
  );
}
