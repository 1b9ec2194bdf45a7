import { chakra, Flex } from '@chakra-ui/react';
import { Meter } from './chart/share-bar.tsx';
import { EmptyNote, Rows, SkeletonRows } from './panel-rows.tsx';

export interface RankedRow {
  key: string;
  name: string;
  value: string;
  /** Texts below the name and below the value. */
  notes: readonly [string, string];
  /** Length of the row's bar, from 0 to 1. */
  share: number;
}

/** A ranked list in which each row has a bar in proportion to its value. */
export function RankedRows({ rows, empty }: { rows: readonly RankedRow[] | undefined; empty: string }) {
  if (!rows) return <SkeletonRows rows={3} />;
  if (rows.length === 0) return <EmptyNote>{empty}</EmptyNote>;
  return (
    <Rows>
      {rows.map(({ key, name, value, notes, share }) => (
        <chakra.li key={key} fontVariantNumeric="tabular-nums">
          <Flex justify="space-between" gap="4">
            <chakra.span fontWeight="medium" minWidth="0" truncate title={name}>
              {name}
            </chakra.span>
            <chakra.span whiteSpace="nowrap">{value}</chakra.span>
          </Flex>
          <Flex justify="space-between" gap="4" mb="1.5" fontSize="sm" color="fg.muted">
            <span>{notes[0]}</span>
            <span>{notes[1]}</span>
          </Flex>
          <Meter share={share} />
        </chakra.li>
      ))}
    </Rows>
  );
}
