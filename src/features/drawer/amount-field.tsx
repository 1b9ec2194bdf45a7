import { Flex } from '@chakra-ui/react';
import { CashKeypad } from '../../tender/cash-keypad.tsx';
import { pressKey } from '../../tender/keypad.ts';
import type { AmountEntry } from '../../tender/keypad.ts';
import { TextField } from '../../ui/text-field.tsx';

interface AmountFieldProps {
  label: string;
  entry: AmountEntry;
  onChange: (entry: AmountEntry) => void;
  error?: string | undefined;
  isLarge?: boolean;
  /** Suppresses the screen keyboard, because a keypad is shown beside the field. */
  hasKeypad?: boolean;
  readOnly?: boolean;
}

export function AmountField({
  label,
  entry,
  onChange,
  error,
  isLarge = false,
  hasKeypad = false,
  readOnly = false,
}: AmountFieldProps) {
  return (
    <TextField
      label={label}
      error={error}
      type="number"
      step="0.01"
      min="0"
      inputMode={hasKeypad ? 'none' : 'decimal'}
      autoComplete="off"
      readOnly={readOnly}
      value={entry.text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => onChange({ text: event.target.value, untouched: false })}
      onWheel={(event) => event.currentTarget.blur()}
      {...(isLarge ? { minHeight: '16', fontSize: 'xl', fontWeight: 'semibold' } : {})}
      textAlign="end"
      fontVariantNumeric="tabular-nums"
      css={{ appearance: 'textfield', '&::-webkit-inner-spin-button': { display: 'none' } }}
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
