import { chakra } from '@chakra-ui/react';
import type { ComponentProps, Ref } from 'react';
import { controlClass, Field } from './field.tsx';
import type { FieldProps } from './field.tsx';

const Area = chakra('textarea', { base: { py: '3', lineHeight: 'normal', resize: 'vertical' } });

export function TextArea({
  label,
  hint,
  error,
  labelHidden = false,
  id,
  rows = 3,
  ...rest
}: Omit<ComponentProps<typeof Area>, keyof FieldProps> & FieldProps & { ref?: Ref<HTMLTextAreaElement> | undefined }) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => <Area {...control} className={controlClass} rows={rows} {...rest} />}
    </Field>
  );
}
