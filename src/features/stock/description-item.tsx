import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Something that is known, under its name; in a `dl`. */
export function DescriptionItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <chakra.div minWidth="0">
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd overflowWrap="anywhere" whiteSpace="pre-line">
        {children}
      </chakra.dd>
    </chakra.div>
  );
}
