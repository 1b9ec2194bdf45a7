import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import type { OutboxEntry } from '#src/db/dependants.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { withDetails } from '../entry-details.ts';
import type { DetailedEntry } from '../entry-details.ts';
import { useRefusalText } from '../tray/refusal-text.ts';
import type { Outcome } from './send-rescued.ts';

const statusOrder = ['refused', 'waiting', 'applied', 'known'] as const;
const tones = { refused: 'refused', waiting: 'due', applied: 'paid', known: 'neutral' } as const;
const rowHeightPx = 72;

/** Lists the server's result for each operation, refused ones first. Only the rows in view are rendered. */
export function RescueResults({
  entries,
  outcomes,
}: {
  entries: readonly OutboxEntry[];
  outcomes: ReadonlyMap<string, Outcome>;
}) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const detailed = useLiveQuery(() => withDetails(db, [...entries]), [entries]) ?? [];
  const rows = detailed
    .flatMap((entry) => ({ entry, outcome: outcomes.get(entry.operation.op_id) }))
    .filter((row): row is { entry: DetailedEntry; outcome: Outcome } => row.outcome !== undefined)
    .sort((a, b) => statusOrder.indexOf(a.outcome.status) - statusOrder.indexOf(b.outcome.status));
  // oxlint-disable-next-line react/incompatible-library -- The component is not memoised: it renders on each scroll.
  const virtual = useVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeightPx,
    getScrollElement: () => box.current,
    overscan: 6,
  });
  return (
    <div>
      <Flex wrap="wrap" gap="2" mb="3">
        {statusOrder.map((status) => {
          const count = rows.filter(({ outcome }) => outcome.status === status).length;
          return count === 0 ? null : (
            <Badge key={status} tone={tones[status]}>
              {t(`outbox.rescue.outcomes.${status}`)} {count}
            </Badge>
          );
        })}
      </Flex>
      <chakra.section
        ref={box}
        tabIndex={0}
        aria-label={t('outbox.rescue.results')}
        maxHeight="15rem"
        overflowY="auto"
        borderTopWidth="1px"
        borderColor="border"
      >
        <ul style={{ height: virtual.getTotalSize(), position: 'relative', listStyleType: 'none' }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => (
            <li
              key={key}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ position: 'absolute', insetInline: 0, height: rowHeightPx, transform: `translateY(${start}px)` }}
            >
              <ResultRow {...rows[index]!} />
            </li>
          ))}
        </ul>
      </chakra.section>
    </div>
  );
}

function ResultRow({ entry, outcome }: { entry: DetailedEntry; outcome: Outcome }) {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const { operation, subject, amountMinor, currency } = entry;
  return (
    <Flex align="center" gap="3" height="full" borderBottomWidth="1px" borderColor="border">
      <Flex direction="column" flex="1" minWidth="0">
        <chakra.span fontWeight="medium" truncate>
          {[t(`outbox.kinds.${operation.kind}`), subject].filter(Boolean).join(' · ')}
        </chakra.span>
        <chakra.span fontSize="sm" color="fg.muted" truncate>
          {outcome.status === 'refused'
            ? refusalText(outcome.code, outcome.details)
            : amountMinor !== null && <MoneyText minor={amountMinor} currency={currency} />}
        </chakra.span>
      </Flex>
      <Badge tone={tones[outcome.status]}>{t(`outbox.rescue.outcomes.${outcome.status}`)}</Badge>
    </Flex>
  );
}
