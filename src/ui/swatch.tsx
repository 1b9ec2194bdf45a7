import { chakra } from '@chakra-ui/react';

/** A spot of a colour that somebody chose, gray where nobody has. */
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
