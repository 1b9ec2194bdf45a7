import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { ReactNode } from 'react';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Says what is wrong with the value; the field is then announced as invalid. */
  error?: string | undefined;
  /** Keeps the label for screen readers only, where an icon says it to the eye. */
  labelHidden?: boolean;
  id?: string | undefined;
}

/** What the control of a field needs to be tied to its label and note. */
export interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, a control, and under it a hint or what is wrong. */
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

/** The look that every control shares. */
export const controlStyle = {
  width: 'full',
  minHeight: '12',
  px: '3',
  bg: 'bg.surface',
  color: 'fg',
  borderWidth: '1px',
  borderColor: 'border.strong',
  borderRadius: 'md',
  // 16 px: anything smaller makes iOS zoom into the field.
  fontSize: 'md',
  // The ring takes the place of the border rather than standing around it.
  _focusVisible: { outlineOffset: '-1px' },
  _hover: { borderColor: 'fg.muted' },
  _invalid: { borderColor: 'refused.fg' },
  _disabled: { bg: 'bg.sunken', color: 'fg.muted', cursor: 'not-allowed' },
} as const;
