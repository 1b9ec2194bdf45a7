import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

/** A figure with its name and a note. */
export function StatCard({
  label,
  value,
  note,
  icon,
  tone,
}: {
  label: string;
  /** Undefined while loading. */
  value: ReactNode | undefined;
  note?: ReactNode;
  icon?: ReactNode;
  /** Colour of the figure; none by default. */
  tone?: 'paid' | 'refused' | 'due' | 'low' | undefined;
}) {
  return (
    <Flex
      direction="column"
      gap="1"
      p={{ base: '3', md: '4' }}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      minWidth="0"
    >
      <Flex align="center" justify="space-between" gap="2" color="fg.muted">
        <chakra.h3 fontSize="sm" fontWeight="medium">
          {label}
        </chakra.h3>
        {icon && <chakra.span aria-hidden>{icon}</chakra.span>}
      </Flex>
      <chakra.p
        fontSize="lg"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        letterSpacing="tight"
        lineHeight="tight"
        py="1.5"
        overflowWrap="anywhere"
        color={tone ? `${tone}.fg` : 'fg'}
      >
        {value === undefined ? <Skeleton as="span" display="block" height="1lh" width="24" /> : value}
      </chakra.p>
      {note && (
        <chakra.p fontSize="sm" color="fg.muted">
          {note}
        </chakra.p>
      )}
    </Flex>
  );
}
