import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { TextField } from '../../../ui/text-field.tsx';

type NumberFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'end' | 'css'> & {
  /** Shown at the end of the field. */
  unit: string;
};

/** Number field that shows a unit in place of the browser's arrows. The arrow keys still step. */
export function NumberField({ unit, ...rest }: NumberFieldProps) {
  return (
    <TextField
      type="number"
      inputMode="decimal"
      min={0}
      autoComplete="off"
      css={{ appearance: 'textfield', '&::-webkit-inner-spin-button': { appearance: 'none' } }}
      end={
        <chakra.span pe="3" fontSize="sm" color="fg.muted" pointerEvents="none">
          {unit}
        </chakra.span>
      }
      {...rest}
    />
  );
}
