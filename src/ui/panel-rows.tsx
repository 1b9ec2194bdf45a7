import { chakra, Flex } from '@chakra-ui/react';
import { Skeleton } from './skeleton.tsx';

/** A list of rows in a panel, with thin lines between them. */
export const Rows = chakra('ul', {
  base: {
    listStyleType: 'none',
    '& > li': { borderTop: '1px solid {colors.border}', px: '4', py: '3' },
  },
});

/** A message in place of the rows of an empty panel. */
export const EmptyNote = chakra('p', { base: { px: '4', pb: '6', fontSize: 'sm', color: 'fg.muted' } });

export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <Flex direction="column" gap="2" px="4" pb="4" aria-busy>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height="12" />
      ))}
    </Flex>
  );
}
