import { chakra, Flex } from '@chakra-ui/react';
import { ClipboardList } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import type { Analytics } from '#domain/report/resources.ts';
import { newestOrderCount } from '#domain/report/vocabulary.ts';
import { useReportOrders } from '#src/server-data/reports.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { exportTabSearch, noFilters } from '../export/filters.ts';
import { OrderTable } from '../orders/order-table.tsx';

/** Longest list shown here; beyond it a link leads to the export tab, which has filters. */
const maxListed = 200;

/** Newest treatments of the period, with a button for more and a link to all. */
export function PeriodOrders({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { pathname } = useLocation();
  const [wantsMore, setWantsMore] = useState(false);
  const dateRange = { startDate: analytics?.dateRange.start ?? '', endDate: analytics?.dateRange.end ?? '' };
  const hasMore = analytics?.data.length === newestOrderCount;
  const more = useReportOrders({ ...dateRange, size: maxListed }, { enabled: wantsMore && hasMore }).value;
  const rows = (hasMore && more?.data) || analytics?.data;
  const exceedsList = more && more.pagination.total > maxListed;
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
      {hasMore && (!more || exceedsList) && (
        <Flex justify="center">
          {exceedsList ? (
            <Link to={`${pathname}?${exportTabSearch({ ...noFilters, ...dateRange })}`} className={buttonClass({})}>
              {t('reports.orders.all', { count: formats.quantity(more.pagination.total) })}
            </Link>
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
