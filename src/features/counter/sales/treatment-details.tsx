import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notesOf } from '#domain/order/order.ts';
import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { api } from '#src/api/client.ts';
import type { OrderRow } from '#src/db/database.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { orderRow } from '#src/db/rows.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { db } from '#src/local-data/database.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { OrderLines } from '../order-lines.tsx';
import { orderSums } from '../order-sums.ts';
import { usePlan } from '../plan-store.ts';
import { SaleRows } from './sale-rows.tsx';
import { salesOf } from './sales.ts';

const RefundDialog = loadLater(async () => (await import('#src/refund/refund-dialog.tsx')).RefundDialog);

/** Returns a treatment from this device, or else from the server; null while neither has answered. */
function useTreatment(id: string): OrderRow | 'away' | null {
  // Null, because undefined means that the database has not answered.
  const local = useLiveQuery(async () => (await orderById(db, id)) ?? null, [id]);
  const [fetched, setFetched] = useState<OrderRow | 'away' | null>(null);
  const isMissing = local === null;
  useEffect(() => {
    if (!isMissing) return;
    const { signal, abort } = newAborter();
    void fetchOrder(id, signal)
      .catch(() => 'away' as const)
      .then((found) => signal.aborted || setFetched(found));
    return abort;
  }, [id, isMissing]);
  return local ?? fetched;
}

function newAborter() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function fetchOrder(id: string, signal: AbortSignal): Promise<OrderRow> {
  const { data } = await api.get(`orders/${id}`, { signal }).json<{ data: OrderResource }>();
  return orderRow(orderFromResource(data), 0);
}

/** Shows the services of a past treatment, its documents to print again, and the way to its payment while it is open. */
export function TreatmentDetails({ id, onPay }: { id: string; onPay: () => void }) {
  const { t } = useTranslation();
  const order = useTreatment(id);
  const mayPay = useMay('order.pay');
  const [isRefunding, setRefunding] = useState(false);
  const sales = useLiveQuery(async () => (order && order !== 'away' ? salesOf([order]) : []), [order]);
  if (order === null) return <Skeleton height="24" />;
  if (order === 'away')
    return (
      <chakra.p py="3" color="fg.muted">
        {t('refund.away')}
      </chakra.p>
    );
  return (
    <Flex direction="column" gap="2" ps="3" borderInlineStartWidth="2px" borderColor="border">
      <OrderLines order={order} />
      <TreatmentSums order={order} />
      {notesOf(order) && (
        <chakra.p fontSize="sm" color="fg.muted" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {notesOf(order)}
        </chakra.p>
      )}
      {sales && sales.length > 0 && <SaleRows sales={sales} onRefund={() => setRefunding(true)} />}
      {mayPay && order.status === 'confirmed' && (
        <Button
          wide
          onClick={() => {
            usePlan.getState().openPayment(order.id);
            onPay();
          }}
        >
          {t('patients.pay')}
        </Button>
      )}
      <Suspense fallback={null}>
        {isRefunding && <RefundDialog orderId={order.id} foreign={order} onClose={() => setRefunding(false)} />}
      </Suspense>
    </Flex>
  );
}

/** Sums of a treatment that costs or owes something else than its services, so that the amounts on the screen add up. */
function TreatmentSums({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { discountMinor, balanceMinor, paidMinor, currency } = order;
  const sums = orderSums(order);
  const isPlain = discountMinor === 0 && (paidMinor === 0 || balanceMinor === 0);
  if (isPlain && sums.every(({ name }) => name !== 'given')) return null;
  const rows = [
    ...(discountMinor === 0 ? [] : [{ label: t('counter.discount.label'), minor: -discountMinor }]),
    ...sums.map(({ name, minor }) => ({ label: t(`counter.payment.${name}`), minor })),
    ...(balanceMinor > 0 ? [{ label: t('counter.payment.due'), minor: balanceMinor }] : []),
    ...(balanceMinor < 0 ? [{ label: t('refund.surplusHeld'), minor: -balanceMinor }] : []),
  ];
  return (
    <chakra.dl fontSize="sm" borderTopWidth="1px" borderColor="border" pt="1.5">
      {rows.map(({ label, minor }) => (
        <Flex key={label} justify="space-between" gap="3" py="0.5">
          <chakra.dt color="fg.muted">{label}</chakra.dt>
          <chakra.dd>
            <MoneyText minor={minor} currency={currency} />
          </chakra.dd>
        </Flex>
      ))}
    </chakra.dl>
  );
}
