import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The second line of a cell: what a column of its own says once the table's place has so many rem. */
export function SecondLine({ until, children }: { until: number; children: ReactNode }) {
  return (
    <chakra.div
      fontSize="sm"
      color="fg.muted"
      whiteSpace="nowrap"
      css={{ [`@container (min-width: ${until}rem)`]: { display: 'none' } }}
    >
      {children}
    </chakra.div>
  );
}
