import { chakra, Flex } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import type { Column, Sort } from './columns.ts';
import { Menu } from './menu.tsx';
import type { MenuItem } from './menu.tsx';
import { Skeleton } from './skeleton.tsx';
import { StyledButton } from './styled.tsx';
import { Cell, HeaderCell, SelectBox } from './table-cells.tsx';
import { toggled, useRowKeys } from './use-row-keys.ts';
import type { RowKey, Selection } from './use-row-keys.ts';

export interface RowWords<Row> {
  actions: (row: Row) => string;
  /** Heading of the column of menus. */
  menu: string;
  select?: (row: Row) => string;
  selectAll?: string;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => RowKey;
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
  /** Makes rows selectable. */
  selection?: Selection | undefined;
  /** What may be done with a row, in its menu. */
  actions?: ((row: Row) => MenuItem[]) | undefined;
  /** Opens a row or card, by Enter or a click beside its controls. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Names of the menu and the box of a row; needed with `actions` and `selection`. */
  rowWords?: RowWords<Row> | undefined;
  skeletonRows?: number;
  /** Leaves out the frame, below the heading of a panel, which has one. */
  isFramed?: boolean;
  /** Narrows the space between columns. */
  dense?: boolean;
  /** Dims rows that need no more work. */
  isDimmed?: ((row: Row) => boolean) | undefined;
  /** Number of rows to show at first, in the table and as cards. A button named `showAll` shows the others. */
  firstRows?: { desk: number; cards: number; showAll: string } | undefined;
}

const frame = { borderWidth: '1px', borderColor: 'border' } as const;
/** Around what is no table, in the frame of a panel. */
const inFrame = { px: '4', pb: '2' } as const;

const widerThanPhone = '(min-width: 48rem)';

/** Styles for places of at least so many rem, in windows wider than a phone. The place is the nearest size container. */
const inPlaceOf = (rem: number, styles: object) => ({
  [`@media ${widerThanPhone}`]: { [`@container (min-width: ${rem}rem)`]: styles },
});

/** Returns the columns that stand in a place; none where it shows cards. */
export function columnsIn<Row>(
  {
    columns,
    card,
    asCards = false,
    tableFrom = 0,
  }: Pick<DataTableProps<Row>, 'columns' | 'card' | 'asCards' | 'tableFrom'>,
  place: HTMLElement,
): readonly Column<Row>[] {
  const rem = place.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (card && (asCards || rem < tableFrom || !matchMedia(widerThanPhone).matches)) return [];
  return columns.filter(({ from = 0 }) => from <= rem);
}

/**
 * A table with rows of 48 px, or of 40 px at a desk. In a place too narrow for it each row is a card. What decides is the width of the place, not
 * of the window, because the sidebar takes its part of a tablet.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, card, asCards = false, tableFrom = 0, empty, skeletonRows = 5, firstRows, isFramed = false } = props;
  const [isWhole, setWhole] = useState(false);
  if (!rows) return <TableSkeleton rows={skeletonRows} isFramed={isFramed} />;
  if (rows.length === 0) return <>{empty}</>;
  const first = (count: number | undefined) => (isWhole ? rows : rows.slice(0, count));
  return (
    <Flex direction="column" gap="3" minWidth="0" css={{ containerType: 'inline-size' }}>
      {card && <Cards {...props} rows={first(firstRows?.cards)} card={card} />}
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

/** Returns the menu of a row; undefined where nothing may be done with it. */
function menuOf<Row>({ rowWords, actions }: DataTableProps<Row>, row: Row): ReactNode {
  const items = actions?.(row) ?? [];
  return items.length > 0 && rowWords && <Menu label={rowWords.actions(row)} items={items} />;
}

/** Returns the box that selects a row; undefined where rows are not selected. */
function boxOf<Row>({ selection, rowKey, rowWords }: DataTableProps<Row>, row: Row): ReactNode {
  return (
    selection &&
    rowWords?.select && (
      <SelectBox
        label={rowWords.select(row)}
        checked={selection.chosen.has(rowKey(row))}
        onChange={() => selection.onChange(toggled(selection.chosen, rowKey(row)))}
      />
    )
  );
}

/** A click on these is theirs, not their row's. */
const controls = 'a, button, input, select, textarea, label, [role=menuitem]';

/** Opens a row or card by a click beside its controls; one that selects text opens nothing. */
function open<Row>({ target }: MouseEvent, onOpen: (row: Row) => void, row: Row): void {
  if (!(target as Element).closest(controls) && getSelection()?.isCollapsed !== false) onOpen(row);
}

function Cards<Row>(props: WithRows<Row> & { card: (row: Row) => ReactNode }) {
  const { label, rows, rowKey, card, asCards, tableFrom = 0, isDimmed, selection, onOpen, isFramed = false } = props;
  const { press, rowProps } = useRowKeys({ rows, rowKey, onOpen, selection: undefined });
  return (
    <chakra.ul
      {...(isFramed && inFrame)}
      onKeyDown={onOpen && press}
      aria-label={label}
      listStyleType="none"
      display="grid"
      {...(!asCards && { css: inPlaceOf(tableFrom, { display: 'none' }) })}
      {...(!isFramed && {
        gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'repeat(auto-fill, minmax(18rem, 1fr))' },
        gap: '2',
      })}
    >
      {rows.map((row, index) => (
        <chakra.li
          key={rowKey(row)}
          {...(onOpen && { ...rowProps(row, index), onClick: (event) => open(event, onOpen, row), cursor: 'pointer' })}
          display="flex"
          gap="1"
          bg={isDimmed?.(row) ? 'bg' : 'bg.surface'}
          color={isDimmed?.(row) ? 'fg.muted' : 'fg'}
          {...(isFramed ? { py: '2', borderTopWidth: '1px' } : { p: '4', borderWidth: '1px', borderRadius: 'md' })}
          borderColor={selection?.chosen.has(rowKey(row)) ? 'accent.solid' : 'border'}
        >
          <chakra.div flex="1" minWidth="0">
            {card(row)}
          </chakra.div>
          <Flex direction="column" justify="space-between" align="center" my="-3" me="-3" _empty={{ display: 'none' }}>
            {menuOf(props, row)}
            {boxOf(props, row)}
          </Flex>
          {/* Where nothing else of the card says that it opens. */}
          {onOpen && !isFramed && !menuOf(props, row) && (
            <chakra.span alignSelf="center" color="fg.muted" aria-hidden>
              <ChevronRight size={20} />
            </chakra.span>
          )}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

/** Returns whether figures end where words begin: without more room between them they read as one. */
const isBeforeText = <Row,>(columns: readonly Column<Row>[], index: number): boolean => {
  const [column, next] = [columns[index], columns[index + 1]];
  return Boolean(column?.numeric && next && !next.numeric && !next.actions);
};

function Rows<Row>(props: WithRows<Row>) {
  const { label, columns, rows, rowKey, card, tableFrom = 0, sort, onSort, dense = false, isDimmed } = props;
  const { isFramed = false, selection, actions, onOpen, rowWords } = props;
  const { press, rowProps } = useRowKeys({ rows, rowKey, onOpen, selection });
  const hasKeys = onOpen !== undefined || selection !== undefined;
  const menuColumn: Column<Row> | undefined = actions &&
    rowWords && { key: 'menu', header: rowWords.menu, actions: true, cell: (row) => menuOf(props, row) };
  const isWhole = selection !== undefined && rows.every((row) => selection.chosen.has(rowKey(row)));
  return (
    // In a narrow window the table scrolls inside this section, which takes the focus so that arrow keys scroll it.
    <chakra.section
      {...(card && { css: { display: 'none', ...inPlaceOf(tableFrom, { display: 'block' }) } })}
      overflowX="auto"
      tabIndex={hasKeys ? undefined : 0}
      aria-label={label}
      bg="bg.surface"
      {...(!isFramed && frame)}
      borderRadius="md"
    >
      <chakra.table
        width="full"
        css={{
          borderCollapse: 'collapse',
          ...(dense && { '--cell-inline': '{spacing.2}' }),
          ...(isFramed && { '& :is(th, td):first-child': { paddingInlineStart: '{spacing.4}' } }),
        }}
        fontSize="sm"
      >
        <thead>
          <tr>
            {selection && rowWords?.selectAll && (
              <chakra.th scope="col" width="var(--row, 3rem)" p="0!">
                <SelectBox
                  label={rowWords.selectAll}
                  checked={isWhole}
                  isMixed={selection.chosen.size > 0 && !isWhole}
                  onChange={() => selection.onChange(new Set(isWhole ? [] : rows.map(rowKey)))}
                />
              </chakra.th>
            )}
            {columns.map((column, index) => (
              <HeaderCell
                key={column.key}
                column={column}
                isBeforeText={isBeforeText(columns, index)}
                sort={sort}
                onSort={onSort}
              />
            ))}
            {menuColumn && <HeaderCell column={menuColumn} sort={undefined} onSort={undefined} />}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys are those of the rows, which take the focus. */}
        <tbody onKeyDown={hasKeys ? press : undefined}>
          {rows.map((row, index) => (
            <chakra.tr
              key={rowKey(row)}
              {...(hasKeys && rowProps(row, index))}
              onClick={onOpen && ((event) => open(event, onOpen, row))}
              borderTopWidth="1px"
              borderColor="border"
              bg={selection?.chosen.has(rowKey(row)) ? 'accent.subtle' : 'bg.surface'}
              color={isDimmed?.(row) ? 'fg.muted' : 'fg'}
              cursor={onOpen ? 'pointer' : undefined}
              _hover={{ bg: selection?.chosen.has(rowKey(row)) ? 'accent.subtle' : 'bg.hover' }}
              _focusVisible={{ outlineOffset: '-3px' }}
            >
              {selection && <chakra.td p="0!">{boxOf(props, row)}</chakra.td>}
              {columns.map((column, place) => (
                <Cell key={column.key} column={column} row={row} isBeforeText={isBeforeText(columns, place)} />
              ))}
              {menuColumn && <Cell column={menuColumn} row={row} />}
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
    </chakra.section>
  );
}

function TableSkeleton({ rows, isFramed }: { rows: number; isFramed: boolean }) {
  return (
    <Flex direction="column" gap="2" aria-busy {...(isFramed && inFrame)}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height="var(--row, 3rem)" />
      ))}
    </Flex>
  );
}
