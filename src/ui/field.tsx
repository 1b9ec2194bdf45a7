import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { ReactNode } from 'react';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Error in the value, as text. If set, the field is announced as invalid. */
  error?: string | undefined;
  /** Leaves the label to screen readers, if an icon shows the meaning. */
  labelHidden?: boolean;
  id?: string | undefined;
}

/** Attributes that connect a control with its label and its hint or error. */
export interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, a control, and below them a hint or an error. */
export function Field({
  label,
  hint,
  error,
  labelHidden = false,
  id,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const own = useId();
  const controlId = id ?? own;
  const note = error ?? hint;
  return (
    <Flex direction="column" gap="1.5" width="full">
      <chakra.label htmlFor={controlId} fontSize="sm" fontWeight="medium" srOnly={labelHidden}>
        {label}
      </chakra.label>
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': note ? `${controlId}-note` : undefined,
      })}
      {note && (
        <chakra.p id={`${controlId}-note`} fontSize="sm" color={error ? 'refused.fg' : 'fg.muted'}>
          {note}
        </chakra.p>
      )}
    </Flex>
  );
}

/** Style that all controls share. */
export const controlStyle = {
  width: 'full',
  minHeight: '12',
  px: '3',
  bg: 'bg.surface',
  color: 'fg',
  borderWidth: '1px',
  borderColor: 'border.strong',
  borderRadius: 'md',
  // 16 px: iOS zooms into a field with a smaller font.
  fontSize: 'md',
  // The focus ring covers the border.
  _focusVisible: { outlineOffset: '-1px' },
  _hover: { borderColor: 'fg.muted' },
  _invalid: { borderColor: 'refused.fg' },
  _disabled: { bg: 'bg.sunken', color: 'fg.muted', cursor: 'not-allowed' },
} as const;
