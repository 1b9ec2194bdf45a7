import { chakra, Flex } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { Column, Sort } from './columns.ts';

/** Leaves a column out where its place is too narrow. */
const shownFrom = (rem: number | undefined) =>
  rem === undefined
    ? {}
    : { css: { display: 'none', [`@container (min-width: ${rem}rem)`]: { display: 'table-cell' } } };

const ring = '{colors.accent.ring}';
/** The end of the focus ring of a row, which the buttons that stay in view would cover. */
const endOfRing = `inset 0 3px ${ring}, inset 0 -3px ${ring}, inset -3px 0 ${ring}`;

/** The room after figures that words follow. */
const roomBeforeText = 'calc(var(--cell-inline, 0.75rem) + var(--room-before-text, 0rem))';

export function Cell<Row>({
  column: { cell, numeric, actions, from },
  row,
  isBeforeText = false,
}: {
  column: Column<Row>;
  row: Row;
  isBeforeText?: boolean;
}) {
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
        css={{ 'tr:focus-visible > &': { boxShadow: endOfRing } }}
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
      {...(isBeforeText && { pe: roomBeforeText })}
    >
      {cell(row)}
    </chakra.td>
  );
}

export function HeaderCell<Row>({
  column,
  sort,
  onSort,
  isBeforeText = false,
}: {
  column: Column<Row>;
  isBeforeText?: boolean;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const { key, header, numeric, sortable, actions, width, wideWidth, from } = column;
  const sorted = sort?.by === key ? sort.order : null;
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
  const style = {
    textAlign: numeric || actions ? 'end' : 'start',
    fontWeight: 'medium',
    color: 'fg.muted',
    whiteSpace: 'nowrap',
    ...shownFrom(from),
    ...(width && { width }),
    ...(wideWidth && { css: { [`@container (min-width: ${wideWidth.from}rem)`]: { width: wideWidth.width } } }),
  } as const;
  if (!sortable || !onSort) {
    return (
      <chakra.th
        scope="col"
        px="var(--cell-inline, 0.75rem)"
        height="var(--row, 3rem)"
        {...(isBeforeText && { pe: roomBeforeText })}
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
        {...(isBeforeText && { pe: roomBeforeText })}
        width="full"
        // The heading of a numeric column ends where its figures end.
        justifyContent={numeric ? 'flex-end' : 'flex-start'}
        fontWeight="medium"
        cursor="pointer"
        color={sorted ? 'fg' : 'fg.muted'}
        _hover={{ color: 'fg' }}
        // The table cuts off what stands out of it.
        _focusVisible={{ outlineOffset: '-3px' }}
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

/** A box that selects a row, or all rows. Its target fills the height of the row. */
export function SelectBox({
  label,
  checked,
  isMixed = false,
  onChange,
}: {
  label: string;
  checked: boolean;
  isMixed?: boolean;
  onChange: () => void;
}) {
  return (
    <chakra.label
      display="flex"
      alignItems="center"
      justifyContent="center"
      minWidth="var(--row, 3rem)"
      minHeight="var(--row, 3rem)"
      cursor="pointer"
    >
      <chakra.input
        type="checkbox"
        aria-label={label}
        ref={(box: HTMLInputElement | null) => {
          if (box) box.indeterminate = isMixed;
        }}
        checked={checked}
        onChange={onChange}
        width="5"
        height="5"
        css={{ accentColor: '{colors.accent.solid}' }}
      />
    </chakra.label>
  );
}
