import { chakra, Flex } from '@chakra-ui/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationState } from '#src/db/database.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { mediaQuery } from '#src/ui/media-query.ts';
import type { DetailedEntry } from './entry-details.ts';
import { KindIcon } from './operation-kinds.tsx';
import { useRelativeTime } from './use-relative-time.ts';

/** Returns true where a row is one line; elsewhere it has two. */
const useIsLine = mediaQuery('(min-width: 1024px)');
const columns = { base: 'minmax(0, 1fr) auto', lg: 'minmax(0, 1.6fr) minmax(0, 1.3fr) 8rem 9rem minmax(0, 1.4fr)' };

/** Lists waiting operations in the order of sending. Only the rows in view are rendered. */
export function WaitingList({ entries, unlistedCount }: { entries: DetailedEntry[]; unlistedCount: number }) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  const rowHeightPx = useIsLine() ? 48 : 72;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- Content above the list may change at any time; an unchanged offset causes no render.
  useLayoutEffect(() => setOffset(list.current?.offsetTop ?? 0));
  // oxlint-disable-next-line react/incompatible-library -- The component is not memoised: it renders on each scroll.
  const virtual = useVirtualizer({
    count: entries.length,
    estimateSize: () => rowHeightPx,
    getScrollElement: () => list.current?.closest('main') ?? null,
    scrollMargin: offset,
    overscan: 8,
    getItemKey: (index) => entries[index]!.operation.op_id,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeightPx]);
  const heading = 'outbox-waiting';
  return (
    <chakra.section aria-labelledby={heading}>
      {/* The tab above says and counts it. */}
      <chakra.h2 id={heading} srOnly>
        {`${t('outbox.waiting')} ${entries.length + unlistedCount}`}
      </chakra.h2>
      <chakra.div
        aria-hidden
        display={{ base: 'none', lg: 'grid' }}
        gridTemplateColumns={columns}
        columnGap="6"
        py="2"
        fontSize="sm"
        color="fg.muted"
        borderBottomWidth="1px"
        borderColor="border"
      >
        {(['what', 'number', 'amount', 'age', 'state'] as const).map((column) => (
          <chakra.span key={column} textAlign={column === 'amount' ? 'end' : 'start'}>
            {t(`outbox.columns.${column}`)}
          </chakra.span>
        ))}
      </chakra.div>
      <ul ref={list} aria-labelledby={heading} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            style={{
              position: 'absolute',
              insetInline: 0,
              height: rowHeightPx,
              transform: `translateY(${start - offset}px)`,
            }}
          >
            <WaitingRow entry={entries[index]!} />
          </li>
        ))}
      </ul>
      {unlistedCount > 0 && (
        <chakra.p py="4" color="fg.muted">
          {t('outbox.more', { count: unlistedCount })}
        </chakra.p>
      )}
    </chakra.section>
  );
}

/** Returns true while the server waits for another operation first: after a restore, for the drawer of another device. */
const isHeld = ({ status, last_error }: OperationState): boolean =>
  status === 'retry' && last_error?.code === 'DEPENDENCY_PENDING';

/** Beside the number of a narrow row there is no room to say that it is being retried, which is said of the connection. */
const stateText = (state: OperationState, isLine: boolean) => {
  if (isHeld(state)) return 'held';
  return state.status === 'retry' && !isLine ? 'pending' : state.status;
};

function WaitingRow({ entry }: { entry: DetailedEntry }) {
  const { t } = useTranslation();
  const isLine = useIsLine();
  const relativeTime = useRelativeTime();
  const { operation, state, subject, amountMinor, currency } = entry;
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={columns}
      alignItems="center"
      alignContent="center"
      columnGap="6"
      rowGap="1"
      height="full"
      borderBottomWidth="1px"
      borderColor="border"
    >
      <Flex order="1" align="center" gap="3" fontWeight="medium" minWidth="0">
        <KindIcon kind={operation.kind} />
        <chakra.span truncate>{t(`outbox.kinds.${operation.kind}`)}</chakra.span>
      </Flex>
      {/* One line below the title, in which the number stays whole. */}
      <chakra.span
        order="3"
        display={{ base: 'flex', lg: 'contents' }}
        gridColumn="1 / -1"
        alignItems="center"
        justifyContent="space-between"
        gap="2"
        ps={{ base: '8', lg: '0' }}
      >
        <chakra.span order="2" flexShrink={0} fontSize="sm" color="fg.muted" truncate>
          {subject}
        </chakra.span>
        <chakra.span order="5" minWidth="0" css={{ '& > *': { maxWidth: 'full' } }}>
          <Badge px={{ base: '1.5', lg: '2' }}>
            <chakra.span truncate>{t(`outbox.states.${stateText(state, isLine)}`)}</chakra.span>
          </Badge>
        </chakra.span>
      </chakra.span>
      <chakra.span order={{ base: 2, lg: 3 }} textAlign="end">
        {amountMinor !== null && <MoneyText minor={amountMinor} currency={currency} />}
      </chakra.span>
      <chakra.span order="4" hideBelow="lg" fontSize="sm" color="fg.muted">
        {relativeTime(Date.parse(operation.occurred_at))}
      </chakra.span>
    </chakra.div>
  );
}
