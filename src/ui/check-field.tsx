import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import type { ComponentProps, ReactNode, Ref } from 'react';

/** A checkbox with its label and hint; a tap anywhere on the line toggles it. */
export function CheckField({
  label,
  hint,
  ...rest
}: ComponentProps<typeof chakra.input> & { label: string; hint?: ReactNode; ref?: Ref<HTMLInputElement> | undefined }) {
  const id = useId();
  return (
    <chakra.label display="flex" gap="3" minHeight="12" py="3" cursor="pointer" alignItems="flex-start">
      <chakra.input
        type="checkbox"
        width="5"
        height="5"
        mt="0.5"
        flexShrink={0}
        css={{ accentColor: '{colors.accent.solid}' }}
        aria-describedby={hint ? id : undefined}
        {...rest}
      />
      <span>
        <chakra.span display="block" fontWeight="medium" lineHeight="1.5">
          {label}
        </chakra.span>
        {hint && (
          <chakra.span id={id} display="block" fontSize="sm" color="fg.muted">
            {hint}
          </chakra.span>
        )}
      </span>
    </chakra.label>
  );
}
