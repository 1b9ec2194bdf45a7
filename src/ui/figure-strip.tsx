import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';
import { wholeFigure } from './stat-card.tsx';

export interface Figure {
  label: string;
  /** Undefined while loading. */
  value: ReactNode | undefined;
  /** Colour of the figure; none by default. */
  tone?: 'paid' | 'refused' | undefined;
}

/** A row of related figures with thin lines between them. */
export function FigureStrip({ figures }: { figures: readonly Figure[] }) {
  return (
    <chakra.dl
      display="flex"
      flexWrap="wrap"
      // The background shows through the gap of 1 px as a line.
      gap="1px"
      bg="border"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      overflow="hidden"
    >
      {figures.map(({ label, value, tone }) => (
        <chakra.div
          key={label}
          flex="1 1 9.5rem"
          bg="bg.surface"
          p="4"
          minWidth="0"
          css={{ containerType: 'inline-size' }}
        >
          <chakra.dt fontSize="sm" color="fg.muted">
            {label}
          </chakra.dt>
          <chakra.dd textStyle="figure" {...wholeFigure} mt="1" minHeight="6" color={tone ? `${tone}.fg` : 'fg'}>
            {value ?? <Skeleton height="6" width="24" />}
          </chakra.dd>
        </chakra.div>
      ))}
    </chakra.dl>
  );
}
