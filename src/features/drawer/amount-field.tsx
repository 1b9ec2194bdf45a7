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
  /** Large, where it is the only amount on the page. */
  isMain?: boolean;
  /** Keys are beside it: the screen's own keyboard stays away. */
  hasKeypad?: boolean;
  readOnly?: boolean;
}

export function AmountField({
  label,
  entry,
  onChange,
  error,
  isMain = false,
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
      {...(isMain ? { minHeight: '16', fontSize: 'xl', fontWeight: 'semibold' } : {})}
      textAlign="end"
      fontVariantNumeric="tabular-nums"
      css={{ appearance: 'textfield', '&::-webkit-inner-spin-button': { display: 'none' } }}
    />
  );
}

/** One amount and the keys for it. */
export function AmountFieldWithKeypad({ entry, onChange, ...field }: Omit<AmountFieldProps, 'isMain' | 'hasKeypad'>) {
  return (
    <Flex direction="column" gap="3">
      <AmountField
        {...field}
        entry={entry}
        onChange={onChange}
        isMain
        hasKeypad={matchMedia('(pointer: coarse)').matches}
      />
      <CashKeypad onPress={(key) => onChange(pressKey(entry, key))} />
    </Flex>
  );
}
