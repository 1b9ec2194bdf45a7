import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import type { ComponentProps, ReactNode, Ref } from 'react';

const Input = chakra('input', {
  base: {
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
  },
});

interface TextFieldProps extends ComponentProps<typeof Input> {
  label: string;
  hint?: ReactNode;
  /** Says what is wrong with the value; the field is then announced as invalid. */
  error?: string | undefined;
  /** Stands inside the field, at its start (an icon) or end (a button). */
  start?: ReactNode;
  end?: ReactNode;
  /** Keeps the label for screen readers only, where an icon says it to the eye. */
  labelHidden?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, hint, error, start, end, labelHidden = false, id, ...rest }: TextFieldProps) {
  const own = useId();
  const inputId = id ?? own;
  const note = error ?? hint;
  return (
    <Flex direction="column" gap="1.5" width="full">
      <chakra.label htmlFor={inputId} fontSize="sm" fontWeight="medium" srOnly={labelHidden}>
        {label}
      </chakra.label>
      <Flex position="relative" align="center">
        {start && (
          <Flex position="absolute" insetStart="3" color="fg.muted" pointerEvents="none" aria-hidden>
            {start}
          </Flex>
        )}
        <Input
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${inputId}-note` : undefined}
          {...(start ? { paddingInlineStart: '10' } : {})}
          {...(end ? { paddingInlineEnd: '14' } : {})}
          {...rest}
        />
        {end && (
          <Flex position="absolute" insetEnd="0">
            {end}
          </Flex>
        )}
      </Flex>
      {note && (
        <chakra.p id={`${inputId}-note`} fontSize="sm" color={error ? 'refused.fg' : 'fg.muted'}>
          {note}
        </chakra.p>
      )}
    </Flex>
  );
}
