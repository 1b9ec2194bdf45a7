import { chakra, Flex } from '@chakra-ui/react';
import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { alertSeen } from '#domain/stock/seen.ts';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { callServer } from '#src/api/client.ts';
import { AskedAgain } from '#src/decisions/asked-again.tsx';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { inventoryPaths, useAlerts } from '#src/server-data/inventory.ts';
import { oneOf } from '#src/lists/list-address.ts';
import { Pagination } from '#src/lists/pagination.tsx';
import { useList } from '#src/lists/use-list.ts';
import { Button } from '#src/ui/button.tsx';
import { wide } from '#src/ui/desk.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { useStockTab } from '../use-stock-tab.ts';
import { useAlertWords } from './alert-words.ts';
import { AlertCard } from './alert-card.tsx';
import { OrderButton } from './order-button.tsx';

const statuses = ['open', 'all'] as const;
const filters = { status: oneOf(statuses) };

/** Stock alerts. The server raises and ends them; users acknowledge and resolve them. */
export function AlertsTab() {
  const { t } = useTranslation();
  const list = useList({ name: 'alerts', filters });
  const {
    page,
    size,
    filters: { status },
  } = list;
  const alerts = useAlerts(list);
  const [resolving, setResolving] = useState<StockAlertResource | null>(null);
  const rows = alerts.value?.data;
  return (
    <Flex direction="column" gap="4" css={{ [wide]: { gap: '{spacing.2}' } }}>
      <chakra.div width={{ base: 'full', md: '20rem' }}>
        <Segmented
          kind="choice"
          label={t('stock.alerts.filter')}
          value={status}
          onChange={(chosen) => list.setFilters({ status: chosen })}
          segments={statuses.map((each) => ({ value: each, label: t(`stock.alerts.${each}`) }))}
        />
      </chakra.div>
      {alerts.fault && <NotLoaded data={alerts} />}
      {alerts.isLoading && !alerts.fault && [1, 2, 3].map((row) => <Skeleton key={row} height="16" />)}
      {rows?.length === 0 && <NoAlerts status={status} onShowAll={() => list.setFilters({ status: 'all' })} />}
      {rows && rows.length > 0 && (
        <chakra.ul
          aria-label={t('stock.tabs.alerts')}
          bg="bg.surface"
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
        >
          {rows.map((alert) => (
            <AlertCard
              key={alert.id}
              alert={alert}
              action={mayOrder(alert) && <OrderButton alert={alert} size="sm" />}
              actions={<Actions alert={alert} onResolve={() => setResolving(alert)} />}
            />
          ))}
        </chakra.ul>
      )}
      {alerts.value && (
        <Pagination
          page={page}
          size={size}
          total={alerts.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      {resolving && <ResolveDialog alert={resolving} onDone={() => setResolving(null)} />}
    </Flex>
  );
}

function NoAlerts({ status, onShowAll }: { status: (typeof statuses)[number]; onShowAll: () => void }) {
  const { t } = useTranslation();
  if (status === 'all')
    return <EmptyState icon={<BellOff />} title={t('stock.alerts.none')} text={t('stock.alerts.noneOpenText')} />;
  return (
    <EmptyState icon={<BellOff />} title={t('stock.alerts.noneOpen')} text={t('stock.alerts.noneOpenText')}>
      <Button onClick={onShowAll}>{t('stock.alerts.showAll')}</Button>
    </EmptyState>
  );
}

/** A lot that expires is not a matter of quantity. */
const mayOrder = ({ resolved, lot }: StockAlertResource): boolean => !resolved && !lot;

function Actions({ alert, onResolve }: { alert: StockAlertResource; onResolve: () => void }) {
  const { t } = useTranslation();
  const { openAdjustment } = useStockTab();
  const acknowledging = useDecision(alert, {
    fields: alertSeen,
    words: useAlertWords(),
    isLive: true,
    call: (body, headers, { id }) => callServer('put', `stock/inventory/alerts/${id}/acknowledge`, body, headers),
    refreshes: inventoryPaths,
    done: () => t('stock.alerts.acknowledged'),
    failed: t('stock.alerts.acknowledgeFailed'),
  });
  return (
    <>
      {mayOrder(alert) && (
        <chakra.span hideFrom="md">
          <OrderButton alert={alert} />
        </chakra.span>
      )}
      {alert.status === 'active' && (
        <Button disabled={acknowledging.isRunning} onClick={() => void acknowledging.run({})}>
          {t('stock.alerts.acknowledge')}
        </Button>
      )}
      <AskedAgain
        decision={acknowledging}
        title={alert.Stock.name}
        confirmLabel={t('stock.alerts.acknowledge')}
        isPossible={acknowledging.shown.status === 'active'}
      />
      {!alert.resolved && <Button onClick={onResolve}>{t('stock.alerts.resolve')}</Button>}
      <Button variant="quiet" onClick={() => openAdjustment(alert.stock_id)}>
        {t('stock.alerts.adjust')}
      </Button>
    </>
  );
}

function ResolveDialog({ alert, onDone }: { alert: StockAlertResource; onDone: () => void }) {
  const { t } = useTranslation();
  const resolving = useDecision(alert, {
    fields: alertSeen,
    words: useAlertWords(),
    call: (body, headers, { id }) => callServer('put', `stock/inventory/alerts/${id}/resolve`, body, headers),
    refreshes: inventoryPaths,
    done: () => t('stock.alerts.resolved'),
    failed: t('stock.alerts.resolveFailed'),
  });
  return (
    <DecisionDialog
      decision={resolving}
      title={t('stock.alerts.confirm.title')}
      confirmLabel={t('stock.alerts.resolve')}
      isPossible={resolving.shown.status !== 'resolved'}
      onClose={onDone}
      onConfirm={() => void resolving.run({}).then((done) => done && onDone())}
    >
      <chakra.p color="fg.muted">{t('stock.alerts.confirm.text', { name: alert.Stock.name })}</chakra.p>
    </DecisionDialog>
  );
}
