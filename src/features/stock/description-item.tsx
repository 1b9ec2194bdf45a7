import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Term and value of a description list (`dl`). */
export function DescriptionItem({ term, children }: { term: string; children: ReactNode }) {
  return (
    <chakra.div minWidth="0">
      <chakra.dt color="fg.muted">{term}</chakra.dt>
      <chakra.dd overflowWrap="anywhere" whiteSpace="pre-line">
        {children}
      </chakra.dd>
    </chakra.div>
  );
}
