import { chakra, Flex } from '@chakra-ui/react';
import { Meter } from './chart/share-bar.tsx';
import { Nothing, Rows, RowsComing } from './panel-rows.tsx';

export interface RankedRow {
  key: string;
  name: string;
  value: string;
  /** Below the name, and below the value. */
  notes: readonly [string, string];
  /** How long its line is, from 0 to 1. */
  share: number;
}

/** What stands in an order, each with a line that shows how much it is. */
export function RankedRows({ rows, empty }: { rows: readonly RankedRow[] | undefined; empty: string }) {
  if (!rows) return <RowsComing rows={3} />;
  if (rows.length === 0) return <Nothing>{empty}</Nothing>;
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
