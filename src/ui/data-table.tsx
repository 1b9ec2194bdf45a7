import { chakra, Flex } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

export interface Column<Row> {
  /** Also the name by which the list is sorted. */
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts stand at the end, in figures of one width. */
  numeric?: boolean;
  sortable?: boolean;
  /** Buttons rather than data: the heading is for screen readers only. */
  actions?: boolean;
  width?: string;
}

export interface Sort {
  by: string;
  order: 'asc' | 'desc';
}

interface DataTableProps<Row> {
  /** Says what the table lists. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** A row of a phone's list; without it the table itself scrolls sideways there. */
  card?: ((row: Row) => ReactNode) | undefined;
  /** Stands in the place of an empty list. */
  empty: ReactNode;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  skeletonRows?: number;
  /** Rows that are history rather than work. */
  isDimmed?: ((row: Row) => boolean) | undefined;
}

/** A list at the desk: rows of 48 px, hairlines between, the heading always in sight. On a phone each row is a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, card, empty, sort, onSort, skeletonRows = 5, isDimmed } = props;
  if (!rows) return <TableSkeleton rows={skeletonRows} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      {card && (
        <chakra.ul aria-label={label} hideFrom="md" listStyleType="none" display="flex" flexDirection="column" gap="2">
          {rows.map((row) => (
            <chakra.li
              key={rowKey(row)}
              p="4"
              bg="bg.surface"
              borderWidth="1px"
              borderColor="border"
              borderRadius="md"
              opacity={isDimmed?.(row) ? 0.7 : 1}
            >
              {card(row)}
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {/* It scrolls by itself where the window is narrow, also for those who have no pointer. */}
      <chakra.section
        {...(card ? { hideBelow: 'md' as const } : {})}
        overflowX="auto"
        tabIndex={0}
        aria-label={label}
        bg="bg.surface"
        borderWidth="1px"
        borderColor="border"
        borderRadius="md"
      >
        <chakra.table width="full" css={{ borderCollapse: 'collapse' }} fontSize="sm">
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <chakra.tr
                key={rowKey(row)}
                borderTopWidth="1px"
                borderColor="border"
                opacity={isDimmed?.(row) ? 0.7 : 1}
                _hover={{ bg: 'bg.hover' }}
              >
                {columns.map((column) => (
                  <chakra.td
                    key={column.key}
                    px="3"
                    py={column.actions ? '1' : '2'}
                    height="12"
                    textAlign={column.numeric || column.actions ? 'end' : 'start'}
                    {...(column.numeric && { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' as const })}
                  >
                    {column.actions ? (
                      <Flex justify="flex-end" gap="2">
                        {column.cell(row)}
                      </Flex>
                    ) : (
                      column.cell(row)
                    )}
                  </chakra.td>
                ))}
              </chakra.tr>
            ))}
          </tbody>
        </chakra.table>
      </chakra.section>
    </>
  );
}

function HeaderCell<Row>({ column, sort, onSort }: { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined }) {
  const { key, header, numeric, sortable, actions, width } = column;
  const sorted = sort?.by === key ? sort.order : null;
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
  const style = { textAlign: numeric || actions ? 'end' : 'start', fontWeight: 'medium', color: 'fg.muted', whiteSpace: 'nowrap' } as const;
  if (!sortable || !onSort) {
    return (
      <chakra.th scope="col" px="3" height="12" {...(width && { width })} {...style}>
        <chakra.span srOnly={actions ?? false}>{header}</chakra.span>
      </chakra.th>
    );
  }
  return (
    <chakra.th
      scope="col"
      px="0"
      {...(width && { width })}
      {...style}
      aria-sort={sorted === null ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}
    >
      <chakra.button
        type="button"
        onClick={() => onSort({ by: key, order: sorted === 'asc' ? 'desc' : 'asc' })}
        display="inline-flex"
        alignItems="center"
        gap="1"
        minHeight="12"
        px="3"
        width="full"
        justifyContent={numeric ? 'flex-end' : 'flex-start'}
        fontWeight="medium"
        cursor="pointer"
        color={sorted ? 'fg' : 'fg.muted'}
        _hover={{ color: 'fg' }}
      >
        {header}
        <Icon size={14} aria-hidden />
      </chakra.button>
    </chakra.th>
  );
}

function TableSkeleton({ rows }: { rows: number }) {
  return (
    <Flex direction="column" gap="2" aria-busy>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height="12" />
      ))}
    </Flex>
  );
}
