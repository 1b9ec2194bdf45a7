import { HandCoins, SearchX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { unbroken } from '#src/formats/money.tsx';
import { db } from '#src/local-data/database.ts';
import { useCalmQuery } from '#src/local-data/live.ts';
import { useMissingDrawer } from '#src/drawer/drawer-prompt.tsx';
import { confirmedOrders, orderById } from '#src/db/queries/orders.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/dialog.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { usePlan } from '../plan-store.ts';
import { OrderList } from './order-list.tsx';
import { PaymentDetails } from './payment-details.tsx';
import styles from './payment-mode.module.css';
import { usePaymentActions } from './use-payment-actions.ts';
import type { PaymentActions } from './use-payment-actions.ts';

const RecipientDialog = loadLater(async () => (await import('#src/invoice/recipient-dialog.tsx')).RecipientDialog);

const pageSize = 50;
const backToList = () => usePlan.getState().closePayment();

export function PaymentMode({ isWide }: { isWide: boolean }) {
  const actions = usePaymentActions(({ changeMinor, tenderedMinor, amountMinor }, currency) => {
    if (changeMinor > 0) usePlan.getState().setChangeDue({ changeMinor, tenderedMinor, amountMinor, currency });
  });
  const payingId = usePlan((plan) => plan.payingId);
  const [limit, setLimit] = useState(pageSize);
  const orders = useCalmQuery([db.orders], (most: number) => confirmedOrders(db, { limit: most }), limit);
  const hasMore = orders?.length === limit;
  return (
    <div className={styles['mode']}>
      {(isWide || payingId === null) && (
        <div className={styles['list']}>
          <OrderList orders={orders} selectedId={payingId} onMore={hasMore ? () => setLimit(limit + pageSize) : null} />
        </div>
      )}
      {(isWide || payingId !== null) && <ChosenOrder payingId={payingId} actions={actions} isWide={isWide} />}
      <ChangeQuestionDialog actions={actions} />
      <RecipientQuestionDialog actions={actions} />
    </div>
  );
}

function ChosenOrder({
  payingId,
  actions,
  isWide,
}: {
  payingId: string | null;
  actions: PaymentActions;
  isWide: boolean;
}) {
  const { t } = useTranslation();
  const order = useCalmQuery(
    [db.orders],
    async (id: string | null) => (id === null ? null : ((await orderById(db, id)) ?? null)),
    payingId,
  );
  const missingDrawer = useMissingDrawer();
  // Right after another treatment is chosen, the query still returns the previous one.
  if (order === undefined || missingDrawer === undefined || (order !== null && order.id !== payingId))
    return <div className={styles['loading']} />;
  if (order?.status === 'confirmed')
    return (
      <PaymentDetails
        // A payment leaves another balance, which is paid anew.
        key={`${order.id} ${order.balanceMinor}`}
        order={order}
        missingDrawer={missingDrawer}
        actions={actions}
        onBack={isWide ? null : backToList}
      />
    );
  return (
    <div className={styles['none']}>
      {payingId === null ? (
        <EmptyState icon={<HandCoins />} title={t('counter.orders.choose')} text={t('counter.orders.chooseText')} />
      ) : (
        <EmptyState icon={<SearchX />} title={t('counter.orders.gone')} text={t('counter.orders.goneText')}>
          <Button onClick={backToList}>{t('counter.orders.back')}</Button>
        </EmptyState>
      )}
    </div>
  );
}

function RecipientQuestionDialog({ actions }: { actions: PaymentActions }) {
  const { recipientQuestion: asked, answerRecipient, dropRecipientQuestion } = actions;
  if (!asked) return null;
  const given = actions.recipientOf(asked.order);
  return (
    <Suspense fallback={null}>
      <RecipientDialog
        order={asked.order}
        given={given}
        onDrop={given ? () => actions.dropRecipient(asked.order) : null}
        isAboveLimit={asked.tender !== null}
        onConfirm={(recipient) => void answerRecipient(recipient)}
        onLater={asked.tender ? () => void answerRecipient(null) : null}
        onCancel={dropRecipientQuestion}
      />
    </Suspense>
  );
}

/** Asks whether an unusual change is right, or warns of too much cash, before the payment is taken. */
function ChangeQuestionDialog({ actions: { question, answer } }: { actions: PaymentActions }) {
  const { t } = useTranslation();
  const money = (minor = 0) => unbroken(formatMinor(minor, currencyLabel(question?.order.currency ?? '')));
  const isCashLimit = question?.isCashLimit === true;
  return (
    <ConfirmDialog
      open={question !== null}
      title={
        isCashLimit ? t('counter.change.cashLimit') : t('counter.change.ask', { change: money(question?.changeMinor) })
      }
      text={
        isCashLimit
          ? t('counter.change.cashLimitText')
          : t('counter.change.text', {
              tendered: money(question?.tender.tenderedMinor),
              amount: money(question?.order.balanceMinor),
            })
      }
      cancelLabel={t('counter.change.correct')}
      confirmLabel={t(isCashLimit ? 'counter.change.takeCash' : 'counter.change.right')}
      onCancel={() => void answer(false)}
      onConfirm={() => void answer(true)}
    />
  );
}
