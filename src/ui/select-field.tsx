import { chakra, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps, Ref } from 'react';
import { controlClass, Field } from './field.tsx';
import type { FieldProps } from './field.tsx';

const Select = chakra('select', {
  base: { appearance: 'none', paddingInlineEnd: '10', textOverflow: 'ellipsis' },
});

export interface Option {
  value: string;
  label: string;
}

interface SelectFieldProps extends Omit<ComponentProps<typeof Select>, keyof FieldProps | 'children'>, FieldProps {
  options: readonly Option[];
  ref?: Ref<HTMLSelectElement> | undefined;
}

/** A labelled `<select>`: the browser's own list works with touch and keyboard on every device. */
export function SelectField({ label, hint, error, labelHidden = false, id, options, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} id={id}>
      {(control) => (
        <Flex position="relative" align="center">
          <Select {...control} className={controlClass} {...rest}>
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
          <Flex position="absolute" insetEnd="3" color="fg.muted" pointerEvents="none" aria-hidden>
            <ChevronDown size={20} />
          </Flex>
        </Flex>
      )}
    </Field>
  );
}
