import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { toneColours } from './tone.ts';
import type { Tone } from './tone.ts';

/** A short label for the state of a row. Colour is never the only sign of a state: the text names it too. */
export function Badge({ tone = 'neutral', ...rest }: ComponentProps<typeof chakra.span> & { tone?: Tone }) {
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1"
      px="2"
      minHeight="6"
      borderRadius="full"
      fontSize="sm"
      fontWeight="medium"
      lineHeight="tight"
      whiteSpace="nowrap"
      fontVariantNumeric="tabular-nums"
      {...toneColours(tone)}
      css={{ '& svg': { width: '3.5', height: '3.5', flexShrink: 0 } }}
      {...rest}
    />
  );
}
