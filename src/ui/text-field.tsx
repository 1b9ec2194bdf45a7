import { chakra, Flex } from '@chakra-ui/react';
import type { ComponentProps, ReactNode, Ref } from 'react';
import { controlStyle, Field } from './field.tsx';
import type { FieldProps } from './field.tsx';

const Input = chakra('input', { base: controlStyle });

interface TextFieldProps extends Omit<ComponentProps<typeof Input>, keyof FieldProps>, FieldProps {
  /** Icon inside the field at its start; `end` is a button at its end. */
  start?: ReactNode;
  end?: ReactNode;
  ref?: Ref<HTMLInputElement> | undefined;
}

export function TextField({ label, hint, error, start, end, labelHidden = false, id, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => (
        <Flex position="relative" align="center">
          {start && (
            <Flex position="absolute" insetStart="3" color="fg.muted" pointerEvents="none" aria-hidden>
              {start}
            </Flex>
          )}
          <Input
            {...control}
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
      )}
    </Field>
  );
}
