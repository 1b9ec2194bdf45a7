import { chakra, Flex } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageToolbar } from '../back-office/page-frame.tsx';
import { NotLoaded } from '../server-data/load-error.tsx';
import type { ServerData } from '../server-data/use-server-data.ts';
import { Button } from '../ui/button.tsx';
import { columnsIn, DataTable } from '../ui/data-table.tsx';
import { wide } from '../ui/desk.ts';
import type { Column } from '../ui/columns.ts';
import type { DataTableProps } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { MenuItem } from '../ui/menu.tsx';
import type { RowKey } from '../ui/use-row-keys.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { BulkAction } from './bulk-bar.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { Deletion } from './delete-dialog.tsx';
import { FilterFields } from './filter-fields.tsx';
import type { FilterField } from './filter-fields.tsx';
import { useListPreferences } from './list-preferences.ts';
import { Pagination } from './pagination.tsx';
import { useRowChanges } from './row-changes.tsx';
import { SearchField } from './search-field.tsx';
import type { ListState } from './use-list.ts';
import { ViewMenu } from './view-menu.tsx';

interface Message {
  title: string;
  text?: string;
}

interface ListScreenProps<Row, Filters extends Record<string, string>> extends Pick<
  DataTableProps<Row>,
  'label' | 'rows' | 'rowKey' | 'card' | 'tableFrom' | 'dense' | 'isDimmed' | 'skeletonRows' | 'onOpen' | 'asCards'
> {
  icon: ReactNode;
  list: ListState<Filters>;
  data: Pick<ServerData<unknown>, 'fault' | 'refresh'>;
  /** All but the first may be hidden. Those that the server sorts by say so. */
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  /** The number of rows on all pages. A list that is not counted brings its own `pager`. */
  total?: number | undefined;
  pager?: ReactNode;
  search?: string;
  filters?: readonly FilterField<Filters>[];
  /** Stands at the end of the toolbar. */
  tools?: ReactNode;
  /** Stands between toolbar and table. */
  above?: ReactNode;
  empty: Message & { action?: ReactNode };
  noMatch?: Message;
  actions?: (row: Row) => MenuItem[];
  deletion?: Deletion<Row> | undefined;
  bulk?: readonly BulkAction<Row>[] | undefined;
  /** Paths that a change of rows makes old. */
  refreshes?: readonly string[];
}

/**
 * A list of the back office: a line of search, filters and view, the table or cards with their states, and pages. The list
 * says what its columns, filters and words are.
 */
export function ListScreen<Row extends object, Filters extends Record<string, string>>(
  props: ListScreenProps<Row, Filters>,
) {
  const { icon, list, data, columns, rows, rowKey, nameOf, total, pager, empty, noMatch, above } = props;
  const { actions, deletion, bulk, refreshes = [] } = props;
  const { t } = useTranslation();
  const [preferences, setPreferences] = useListPreferences(list.name);
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set());
  const [deleting, setDeleting] = useState<readonly Row[]>([]);
  const changes = useRowChanges({ nameOf, refreshes });
  const chosen = (rows ?? []).filter((row) => selected.has(rowKey(row)));
  const mayDelete = (row: Row) => deletion !== undefined && (deletion.may?.(row) ?? true);
  const selection = bulk && { chosen: new Set(chosen.map(rowKey)), onChange: setSelected };
  const menuOf = (row: Row): MenuItem[] => [
    ...(actions?.(row) ?? []),
    ...(mayDelete(row)
      ? [
          {
            key: 'delete',
            label: t('list.delete'),
            icon: <Trash2 />,
            isDangerous: true,
            onSelect: () => setDeleting([row]),
          },
        ]
      : []),
  ];
  const place = useRef<HTMLDivElement>(null);
  const columnsHere = () =>
    columnsIn(props, place.current!).filter(({ key, actions: isActions }) => key !== columns[0]?.key && !isActions);
  const message = list.isFiltered && noMatch ? noMatch : empty;
  return (
    <Flex ref={place} direction="column" gap="4" css={{ [wide]: { gap: '{spacing.2}' } }}>
      <PageToolbar isPinned={chosen.length > 0} controls={props.filters?.length ?? 0}>
        <Toolbar {...props} preferences={preferences} onPreferences={setPreferences} columnsHere={columnsHere}>
          {bulk && chosen.length > 0 && (
            <BulkBar
              rows={chosen}
              bulk={bulk}
              isRunning={changes.isRunning}
              run={(decided, change) => void changes.run(decided, change)}
              onDelete={chosen.some(mayDelete) ? () => setDeleting(chosen.filter(mayDelete)) : undefined}
              onClear={() => setSelected(new Set())}
            />
          )}
        </Toolbar>
      </PageToolbar>
      {above}
      {data.fault ? (
        <NotLoaded data={data} />
      ) : (
        <DataTable
          {...props}
          columns={columns.filter(({ key }, index) => index === 0 || !preferences.hidden.includes(key))}
          sort={list.sort}
          onSort={list.setSort}
          selection={selection}
          actions={actions || deletion ? menuOf : undefined}
          rowWords={{
            actions: (row) => t('list.actionsOf', { name: nameOf(row) }),
            select: (row) => t('list.select', { name: nameOf(row) }),
            selectAll: t('list.selectAll'),
            menu: t('list.actions'),
          }}
          empty={
            <EmptyState icon={icon} title={message.title} text={message.text}>
              {message === empty ? empty.action : <Button onClick={list.showAll}>{t('list.showAll')}</Button>}
            </EmptyState>
          }
        />
      )}
      {total !== undefined && (
        <Pagination page={list.page} size={list.size} total={total} onPage={list.setPage} onSize={list.setSize} />
      )}
      {pager}
      {deletion && (
        <DeleteDialog rows={deleting} deletion={deletion} onClose={() => setDeleting([])} changes={changes} />
      )}
      {changes.failures}
    </Flex>
  );
}

/**
 * The line of search, filters and view. What is done with selected rows takes its place while there are some, so that
 * nothing below moves.
 */
function Toolbar<Row, Filters extends Record<string, string>>({
  list,
  search,
  filters = [],
  tools,
  preferences,
  onPreferences,
  columnsHere,
  children,
}: Pick<ListScreenProps<Row, Filters>, 'list' | 'search' | 'filters' | 'tools'> & {
  preferences: Parameters<typeof ViewMenu>[0]['preferences'];
  onPreferences: Parameters<typeof ViewMenu>[0]['onChange'];
  columnsHere: Parameters<typeof ViewMenu>[0]['columnsHere'];
  /** Takes the place of the others. */
  children: ReactNode;
}) {
  const isReplaced = Boolean(children);
  return (
    <chakra.div position="relative">
      <Flex gap="2" align="center" visibility={isReplaced ? 'hidden' : 'visible'}>
        {search && (
          <chakra.div flex="1 1 7rem" minWidth={{ base: '0', md: '8.5rem' }} maxWidth={{ md: '24rem' }}>
            <SearchField
              label={search}
              value={list.search}
              onChange={list.setSearch}
              isPending={list.isSearchPending}
            />
          </chakra.div>
        )}
        <FilterFields list={list} fields={filters} />
        <Flex gap="2" ms="auto" align="center" flexShrink={0}>
          {/* A phone has no room for them beside the search. */}
          {tools && <chakra.div display={{ base: 'none', md: 'contents' }}>{tools}</chakra.div>}
          <ViewMenu
            preferences={preferences}
            onChange={onPreferences}
            columnsHere={columnsHere}
            address={list.address}
            onApply={list.apply}
          />
        </Flex>
      </Flex>
      {isReplaced && (
        <Flex
          position="absolute"
          inset="0"
          align="flex-start"
          css={{
            containerType: 'inline-size',
            // Where words and signs do not fit, the words are enough.
            [wide]: {
              '@container (max-width: 46rem)': { '& > section > button:not([aria-label]) svg': { display: 'none' } },
            },
          }}
        >
          {children}
        </Flex>
      )}
    </chakra.div>
  );
}
