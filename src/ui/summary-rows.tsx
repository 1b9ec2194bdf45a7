import { chakra, Flex } from '@chakra-ui/react';

export interface SummaryRow {
  key: string;
  name: string;
  /** Shown on a line of its own below the name. */
  note?: string;
  value: string;
  /** True for the sum of the rows above. */
  isSum?: boolean;
  tone?: 'refused' | 'due';
}

/** Names with their figures at the right edge. */
export function SummaryRows({ rows }: { rows: readonly SummaryRow[] }) {
  return (
    <dl>
      {rows.map(({ key, name, note, value, isSum = false, tone }) => (
        <Flex
          key={key}
          justify="space-between"
          gap="4"
          py="2"
          borderTopWidth="1px"
          borderColor={isSum ? 'border.strong' : 'border'}
          fontWeight={isSum ? 'semibold' : 'normal'}
        >
          <chakra.dt minWidth="0" overflowWrap="anywhere">
            {name}
            {note && (
              <chakra.span display="block" fontSize="sm" fontWeight="normal" color="fg.muted">
                {note}
              </chakra.span>
            )}
          </chakra.dt>
          <chakra.dd
            flexShrink={0}
            textAlign="end"
            whiteSpace="nowrap"
            fontVariantNumeric="tabular-nums"
            color={tone ? `${tone}.fg` : 'fg'}
          >
            {value}
          </chakra.dd>
        </Flex>
      ))}
    </dl>
  );
}
