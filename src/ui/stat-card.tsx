import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { wide } from './desk.ts';
import { Skeleton } from './skeleton.tsx';

interface StatCardProps {
  label: string;
  /** Undefined while loading. */
  value: ReactNode | undefined;
  /** Absent on a card without one; while undefined its line stays free. */
  note?: ReactNode;
  icon?: ReactNode;
  /** In a wide window, shows name and figure below each other without a frame, as high as a button. */
  isLine?: boolean;
  /** Colour of the figure; none by default. */
  tone?: 'paid' | 'refused' | 'due' | 'low' | undefined;
}

/** Keeps a figure in one line: in a narrow card it is smaller. The card is the container. */
export const wholeFigure = { whiteSpace: 'nowrap', fontSize: 'min({fontSizes.lg}, 12cqi)' } as const;

/** The frame of a card goes, so that several stand in the line of a heading. */
const line = {
  containerType: 'inline-size',
  [wide]: {
    containerType: 'normal',
    gap: '0',
    // As wide as most amounts, so that what stands beside it keeps its place.
    minWidth: '6.75rem',
    padding: '0',
    border: '0',
    background: 'none',
    whiteSpace: 'nowrap',
    lineHeight: '{lineHeights.tight}',
    '& svg': { display: 'none' },
    '& > p': { padding: '0', fontSize: '{fontSizes.md}' },
  },
  // Four of them beside the buttons of an upright tablet.
  '@container head (width < 46rem)': { minWidth: '0', '& > p': { fontSize: '{fontSizes.sm}' } },
};

/** A figure with its name and a note. */
export function StatCard(props: StatCardProps) {
  const { label, value, note, icon, tone, isLine } = props;
  return (
    <Flex
      direction="column"
      gap="1"
      p={isLine ? '3' : { base: '3', md: '4' }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      minWidth="0"
      css={isLine ? line : { containerType: 'inline-size' }}
    >
      <Flex align="center" justify="space-between" gap="2" color="fg.muted">
        <chakra.h3 fontSize="sm" fontWeight="medium">
          {label}
        </chakra.h3>
        {icon && <chakra.span aria-hidden>{icon}</chakra.span>}
      </Flex>
      <chakra.p textStyle="figure" {...wholeFigure} py="1.5" color={tone ? `${tone}.fg` : 'fg'}>
        {value === undefined ? <Skeleton as="span" display="block" height="1lh" width="24" /> : value}
      </chakra.p>
      {'note' in props && (
        <chakra.p fontSize="sm" color="fg.muted" minHeight="1lh">
          {note}
        </chakra.p>
      )}
    </Flex>
  );
}
