import { chakra, Flex } from '@chakra-ui/react';
import { StyledButton } from './styled.tsx';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

export interface Column<Row> {
  /** Identifier of the column, and the value of `Sort.by` for it. */
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Aligns amounts and counts at the end, in figures of equal width. */
  numeric?: boolean;
  sortable?: boolean;
  /** True for a column of buttons; only screen readers get its heading. */
  actions?: boolean;
  width?: string;
  /** Width in rem of the table's place from which the column shows. Other columns or the row's form have what it says. */
  from?: number;
}

export interface Sort {
  by: string;
  order: 'asc' | 'desc';
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Content of a row's card, for narrow places. If omitted, they show the table, which scrolls sideways. */
  card?: ((row: Row) => ReactNode) | undefined;
  /** Width in rem of the table's place below which each row is a card, on a tablet too. Phones always show cards. */
  tableFrom?: number;
  /** Shows cards at every width. */
  asCards?: boolean;
  /** Shown in place of an empty table. */
  empty: ReactNode;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  skeletonRows?: number;
  /** Narrows the space between columns. */
  dense?: boolean;
  /** Dims rows that need no more work. */
  isDimmed?: ((row: Row) => boolean) | undefined;
  /** Number of rows to show at first, in the table and as cards. A button named `showAll` shows the others. */
  firstRows?: { desk: number; cards: number; showAll: string } | undefined;
}

/** Styles for places of at least so many rem, in windows wider than a phone. The place is the nearest size container. */
const inPlaceOf = (rem: number, styles: object) => ({
  '@media (min-width: 48rem)': { [`@container (min-width: ${rem}rem)`]: styles },
});

/**
 * A table with rows of 48 px, or of 40 px at a desk. In a place too narrow for it each row is a card. What decides is the width of the place, not
 * of the window, because the sidebar takes its part of a tablet.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, card, asCards = false, tableFrom = 0, empty, skeletonRows = 5, firstRows } = props;
  const [isWhole, setWhole] = useState(false);
  if (!rows) return <TableSkeleton rows={skeletonRows} />;
  if (rows.length === 0) return <>{empty}</>;
  const first = (count: number | undefined) => (isWhole ? rows : rows.slice(0, count));
  return (
    <Flex direction="column" gap="inherit" minWidth="0" css={{ containerType: 'inline-size' }}>
      {card && <Cards {...props} rows={first(firstRows?.cards)} card={card} asCards={asCards} />}
      {!(card && asCards) && <Rows {...props} rows={first(firstRows?.desk)} />}
      {firstRows && !isWhole && rows.length > firstRows.cards && (
        <StyledButton
          alignSelf="center"
          // Where the table stands, it may have all rows already.
          {...(rows.length <= firstRows.desk && !asCards && { css: inPlaceOf(tableFrom, { display: 'none' }) })}
          onClick={() => setWhole(true)}
        >
          {firstRows.showAll}
        </StyledButton>
      )}
    </Flex>
  );
}

type WithRows<Row> = DataTableProps<Row> & { rows: readonly Row[] };

function Cards<Row>({
  label,
  rows,
  rowKey,
  card,
  asCards,
  tableFrom = 0,
  isDimmed,
}: WithRows<Row> & { card: (row: Row) => ReactNode; asCards: boolean }) {
  return (
    <chakra.ul
      aria-label={label}
      listStyleType="none"
      display="grid"
      {...(!asCards && { css: inPlaceOf(tableFrom, { display: 'none' }) })}
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(auto-fill, minmax(18rem, 1fr))' }}
      gap="2"
    >
      {rows.map((row) => (
        <chakra.li
          key={rowKey(row)}
          p="4"
          bg={isDimmed?.(row) ? 'bg' : 'bg.surface'}
          color={isDimmed?.(row) ? 'fg.muted' : 'fg'}
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
        >
          {card(row)}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

function Rows<Row>(props: WithRows<Row>) {
  const { label, columns, rows, rowKey, card, tableFrom = 0, sort, onSort, dense = false, isDimmed } = props;
  return (
    // In a narrow window the table scrolls inside this section, which takes the focus so that arrow keys scroll it.
    <chakra.section
      {...(card && { css: { display: 'none', ...inPlaceOf(tableFrom, { display: 'block' }) } })}
      overflowX="auto"
      tabIndex={0}
      aria-label={label}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
    >
      <chakra.table
        width="full"
        css={{ borderCollapse: 'collapse', ...(dense && { '& :is(th, td)': { paddingInline: '{spacing.2}' } }) }}
        fontSize="sm"
      >
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
              bg="bg.surface"
              color={isDimmed?.(row) ? 'fg.muted' : 'fg'}
              _hover={{ bg: 'bg.hover' }}
            >
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.section>
  );
}

/** Leaves a column out where its place is too narrow. */
const shownFrom = (rem: number | undefined) =>
  rem === undefined
    ? {}
    : { css: { display: 'none', [`@container (min-width: ${rem}rem)`]: { display: 'table-cell' } } };

function Cell<Row>({ column: { cell, numeric, actions, from }, row }: { column: Column<Row>; row: Row }) {
  if (actions) {
    // The buttons stay visible while the table scrolls sideways.
    return (
      <chakra.td
        px="2"
        py="var(--cell-padding, 0.25rem)"
        height="var(--row, 3rem)"
        position="sticky"
        insetInlineEnd="0"
        bg="inherit"
      >
        <Flex justify="flex-end" gap="1">
          {cell(row)}
        </Flex>
      </chakra.td>
    );
  }
  return (
    <chakra.td
      px="var(--cell-inline, 0.75rem)"
      py="var(--cell-padding, 0.5rem)"
      height="var(--row, 3rem)"
      textAlign={numeric ? 'end' : 'start'}
      {...shownFrom(from)}
      {...(numeric && { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' as const })}
    >
      {cell(row)}
    </chakra.td>
  );
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const { key, header, numeric, sortable, actions, width, from } = column;
  const sorted = sort?.by === key ? sort.order : null;
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
  const style = {
    textAlign: numeric || actions ? 'end' : 'start',
    fontWeight: 'medium',
    color: 'fg.muted',
    whiteSpace: 'nowrap',
    ...shownFrom(from),
  } as const;
  if (!sortable || !onSort) {
    return (
      <chakra.th
        scope="col"
        px="var(--cell-inline, 0.75rem)"
        height="var(--row, 3rem)"
        {...(width && { width })}
        {...style}
      >
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
        minHeight="var(--row, 3rem)"
        px="var(--cell-inline, 0.75rem)"
        width="full"
        // The heading of a numeric column ends where its figures end.
        justifyContent={numeric ? 'flex-end' : 'flex-start'}
        fontWeight="medium"
        cursor="pointer"
        color={sorted ? 'fg' : 'fg.muted'}
        _hover={{ color: 'fg' }}
        // The sign of an unsorted column shows when the mouse is there; a finger has no other way to learn of it.
        css={{ '@media (hover: hover)': { '&:not(:hover, :focus-visible) [data-unsorted]': { opacity: 0 } } }}
      >
        {/* The sign stands in the gap between two columns: a table of ten has no room to give it. */}
        <chakra.span position="relative">
          {header}
          <chakra.span
            data-unsorted={sorted === null || undefined}
            position="absolute"
            top="1"
            {...{ [numeric ? 'insetInlineEnd' : 'insetInlineStart']: 'calc(100% + 2px)' }}
          >
            <Icon size={14} aria-hidden />
          </chakra.span>
        </chakra.span>
      </chakra.button>
    </chakra.th>
  );
}

function TableSkeleton({ rows }: { rows: number }) {
  return (
    <Flex direction="column" gap="2" aria-busy>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height="var(--row, 3rem)" />
      ))}
    </Flex>
  );
}
