import { chakra } from '@chakra-ui/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportOrder } from '#domain/report/resources.ts';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { columns, OrderRow } from './order-row.tsx';

/** Lists longer than this are virtualised. */
const maxUnvirtualised = 100;
const rowHeightPx = 65;

/**
 * Treatments as rows that expand to show their items. Its rows are grids, so that a phone can lay them out in two lines.
 *
 * @param rows undefined while they load
 * @param isPage true for a page of a list, which is as high as its rows; another one scrolls within 600 px
 */
export function OrderTable({
  label,
  rows,
  isPage = false,
  empty,
}: {
  label: string;
  rows: readonly ReportOrder[] | undefined;
  isPage?: boolean;
  empty: ReactNode;
}) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const count = rows?.length ?? 0;
  const isLong = count > maxUnvirtualised;
  // oxlint-disable-next-line react/incompatible-library -- This component is not memoised: it renders on each scroll.
  const virtual = useVirtualizer({
    count,
    enabled: isLong,
    estimateSize: () => rowHeightPx,
    getScrollElement: () => scroller.current,
    overscan: 8,
    getItemKey: (index) => rows![index]!.id,
  });
  if (!rows) return <Skeleton height="16rem" aria-busy />;
  if (count === 0) return <>{empty}</>;
  const shown = isLong ? virtual.getVirtualItems() : undefined;
  const [above, below] = shown ? [shown[0]?.start ?? 0, virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)] : [0, 0];
  const toggle = (id: string) =>
    setExpanded((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  return (
    <chakra.div
      ref={scroller}
      {...(isPage ? { overflow: 'clip' } : { maxHeight: '600px', overflowY: 'auto' })}
      bg="bg.surface"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      fontSize="sm"
    >
      <chakra.table display="block" aria-label={label} aria-rowcount={rows.length + 1}>
        <chakra.thead
          display={{ base: 'none', md: 'block' }}
          position="sticky"
          top="0"
          zIndex="docked"
          bg="bg.surface"
          borderBottomWidth="1px"
          borderColor="border"
        >
          <chakra.tr
            aria-rowindex={1}
            {...columns}
            alignItems="center"
            minHeight="var(--row, 3rem)"
            ps="4"
            color="fg.muted"
          >
            {(['number', 'type', 'status', 'items', 'amount', 'date'] as const).map((column) => (
              <chakra.th
                key={column}
                scope="col"
                fontWeight="medium"
                textAlign={column === 'items' || column === 'amount' ? 'end' : 'start'}
                ps={column === 'date' ? '4' : '0'}
                minWidth="0"
              >
                {/* A cut text takes the side of its parent, so the head itself keeps the side of its figures. */}
                <chakra.span display="block" truncate>
                  {t(`reports.orders.columns.${column}`)}
                </chakra.span>
              </chakra.th>
            ))}
            <th scope="col">
              <chakra.span srOnly>{t('reports.orders.columns.expand')}</chakra.span>
            </th>
          </chakra.tr>
        </chakra.thead>
        <Gap heightPx={above} />
        {(shown?.map(({ index }) => index) ?? [...rows.keys()]).map((index) => {
          const order = rows[index]!;
          return (
            <chakra.tbody
              key={order.id}
              display="block"
              data-index={index}
              ref={isLong ? virtual.measureElement : undefined}
            >
              <OrderRow order={order} index={index} isOpen={expanded.has(order.id)} onToggle={() => toggle(order.id)} />
            </chakra.tbody>
          );
        })}
        <Gap heightPx={below} />
      </chakra.table>
    </chakra.div>
  );
}

/** Space of the rows outside the viewport. */
function Gap({ heightPx }: { heightPx: number }) {
  return heightPx > 0 && <chakra.tbody display="block" style={{ height: heightPx }} />;
}
