import { chakra, Flex } from '@chakra-ui/react';
import { ClipboardList } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import type { Analytics, ReportOrderList } from '../../../../domain/report/resources.ts';
import { newestOrderCount } from '../../../../domain/report/vocabulary.ts';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { addressOf, noFilters } from '../export/filters.ts';
import { OrderTable } from '../orders/order-table.tsx';

/** As many as one list shows; whoever wants more than these looks for something, and filters find it. */
const mostListed = 200;

/** The newest treatments of the period, more of them on demand, and where the rest is. */
export function PeriodOrders({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { pathname } = useLocation();
  const [wantsMore, setWantsMore] = useState(false);
  const span = { startDate: analytics?.dateRange.start ?? '', endDate: analytics?.dateRange.end ?? '' };
  const hasMore = analytics?.data.length === newestOrderCount;
  const more = useServerData<ReportOrderList>(
    'reports/orders',
    { ...span, size: mostListed },
    { enabled: wantsMore && hasMore },
  ).value;
  const rows = (hasMore && more?.data) || analytics?.data;
  const hasRest = more && more.pagination.total > mostListed;
  return (
    <chakra.section aria-labelledby="period-orders" display="flex" flexDirection="column" gap="3" minWidth="0" mt="4">
      <chakra.h3 id="period-orders" fontSize="lg" fontWeight="semibold">
        {t(hasMore ? 'reports.orders.newest' : 'reports.orders.title', { count: rows?.length ?? 0 })}
      </chakra.h3>
      <OrderTable
        label={t('reports.orders.title')}
        rows={rows}
        empty={
          <EmptyState icon={<ClipboardList />} title={t('reports.orders.empty')} text={t('reports.orders.emptyText')} />
        }
      />
      {hasMore && (!more || hasRest) && (
        <Flex justify="center">
          {hasRest ? (
            <Button asChild>
              <Link to={`${pathname}?${addressOf({ ...noFilters, ...span })}`}>
                {t('reports.orders.all', { count: formats.quantity(more.pagination.total) })}
              </Link>
            </Button>
          ) : (
            <Button disabled={wantsMore} onClick={() => setWantsMore(true)}>
              {t('reports.orders.more')}
            </Button>
          )}
        </Flex>
      )}
    </chakra.section>
  );
}
