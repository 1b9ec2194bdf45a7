import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export type Fact = readonly [key: string, name: ReactNode, value: ReactNode];

/** Names with their values beside them. A fact without a value is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <chakra.dl display="grid" gridTemplateColumns="minmax(6rem, auto) minmax(0, 1fr)" columnGap="4" rowGap="2">
      {facts
        .filter(([, , value]) => value)
        .map(([key, name, value]) => (
          <chakra.div key={key} display="contents">
            <chakra.dt color="fg.muted">{name}</chakra.dt>
            <chakra.dd overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
              {value}
            </chakra.dd>
          </chakra.div>
        ))}
    </chakra.dl>
  );
}
