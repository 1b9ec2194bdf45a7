import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { HandCoins, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../device/database.ts';
import { confirmedOrders, orderById } from '../../../db/queries/orders.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { usePlan } from '../plan-store.ts';
import { OrderList } from './order-list.tsx';
import { PaymentDetails } from './payment-details.tsx';
import { usePaymentActions } from './use-payment-actions.ts';
import type { PaymentActions } from './use-payment-actions.ts';

const page = 50;
const backToList = () => usePlan.getState().pay(null);

/** Open treatments on the left, the chosen one's payment on the right; one at a time on small screens. */
export function PaymentMode({ isWide }: { isWide: boolean }) {
  const actions = usePaymentActions(({ changeMinor, tenderedMinor, amountMinor }, currency) => {
    if (changeMinor > 0) usePlan.getState().owe({ changeMinor, tenderedMinor, amountMinor, currency });
  });
  const payingId = usePlan((plan) => plan.payingId);
  const [limit, setLimit] = useState(page);
  const orders = useLiveQuery(() => confirmedOrders(db, { limit }), [limit]);
  const hasMore = orders?.length === limit;
  return (
    <Flex flex="1" minHeight="0">
      {(isWide || payingId === null) && (
        <Flex
          direction="column"
          minHeight="0"
          width={isWide ? { md: '18.5rem', lg: '20rem', xl: '24rem' } : 'full'}
          flexShrink={0}
          borderInlineEndWidth={isWide ? '1px' : '0'}
          borderColor="border"
        >
          <OrderList orders={orders} selectedId={payingId} onMore={hasMore ? () => setLimit(limit + page) : null} />
        </Flex>
      )}
      {(isWide || payingId !== null) && <Chosen payingId={payingId} actions={actions} isWide={isWide} />}
    </Flex>
  );
}

function Chosen({ payingId, actions, isWide }: { payingId: string | null; actions: PaymentActions; isWide: boolean }) {
  const { t } = useTranslation();
  const found = useLiveQuery(
    async () => (payingId === null ? null : ((await orderById(db, payingId)) ?? null)),
    [payingId],
  );
  // The answer for the treatment that was chosen before does not count.
  if (found === undefined || (found !== null && found.id !== payingId)) return <chakra.div flex="1" bg="bg.surface" />;
  if (found?.status === 'confirmed')
    return <PaymentDetails order={found} actions={actions} onBack={isWide ? null : backToList} />;
  return (
    <chakra.div flex="1" minWidth="0" bg="bg.surface" pt={{ base: '0', md: '24' }}>
      {payingId === null ? (
        <EmptyState icon={<HandCoins />} title={t('counter.orders.choose')} text={t('counter.orders.chooseText')} />
      ) : (
        <EmptyState icon={<SearchX />} title={t('counter.orders.gone')} text={t('counter.orders.goneText')}>
          <Button onClick={backToList}>{t('counter.orders.back')}</Button>
        </EmptyState>
      )}
    </chakra.div>
  );
}
