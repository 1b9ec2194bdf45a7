import { chakra } from '@chakra-ui/react';

/** A dot in a chosen colour; grey if `color` is null. */
export function Swatch({ color, size = '3' }: { color: string | null; size?: '3' | '6' }) {
  return (
    <chakra.span
      aria-hidden
      display="inline-block"
      width={size}
      height={size}
      flexShrink={0}
      borderRadius="full"
      bg="border.strong"
      {...(color && { style: { background: color } })}
    />
  );
}
