import { ArrowLeft, ListChecks, ListPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { notesOf } from '#domain/order/order.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import type { OrderRow } from '#src/db/database.ts';
import { DrawerPrompt } from '#src/drawer/drawer-prompt.tsx';
import type { MissingDrawer } from '#src/drawer/drawer-prompt.tsx';
import { OrderLines } from '../order-lines.tsx';
import { orderSums } from '../order-sums.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { classes } from '#src/ui/classes.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import text from '#src/ui/text.module.css';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useMay } from '#src/session/session.ts';
import { usePlan } from '../plan-store.ts';
import { PatientName } from '../patients/patient-name.tsx';
import { CancelOrRefundButton } from './cancel-or-refund-button.tsx';
import styles from './payment-details.module.css';
import { TenderForm } from './tender-form.tsx';
import type { PaymentActions } from './use-payment-actions.ts';

const ChangeTreatmentDialog = loadLater(
  async () => (await import('../change/change-treatment-dialog.tsx')).ChangeTreatmentDialog,
);
const InvoiceButtons = loadLater(async () => (await import('./invoice-buttons.tsx')).InvoiceButtons);

interface PaymentDetailsProps {
  order: OrderRow;
  missingDrawer: MissingDrawer | null;
  actions: PaymentActions;
  /** Returns to the list; null where the list is shown beside the details. */
  onBack: (() => void) | null;
}

/** What is due, and how it is paid. The grid places the parts, so that turning the tablet keeps what is typed in them. */
export function PaymentDetails({ order, missingDrawer, actions, onBack }: PaymentDetailsProps) {
  const { t } = useTranslation();
  const mayPay = useMay('order.pay');
  const [method, setMethod] = useState<PaymentMethod>('cash');
  return (
    <section aria-label={t('counter.payment.title')} className={styles['details']}>
      <div className={styles['columns']}>
        <div className={styles['bill']}>
          <Bill order={order} onBack={onBack} />
          <Services order={order} />
        </div>
        {mayPay && (
          <div className={styles['notice']}>
            <DrawerPrompt missing={missingDrawer} isHidden={method !== 'cash'} />
            {missingDrawer && method !== 'cash' && (
              <div className={styles['instead']}>
                <OrderLines order={order} />
              </div>
            )}
          </div>
        )}
        <OrderButtons order={order} actions={actions} />
        <div className={styles['tender']}>
          {mayPay ? (
            <TenderForm
              order={order}
              pending={actions.pending}
              method={method}
              onMethod={setMethod}
              onPay={(tender) => void actions.pay(order, tender)}
            />
          ) : (
            <p className={styles['forbidden']}>{t('errors.FORBIDDEN')}</p>
          )}
        </div>
      </div>
    </section>
  );
}

/** The services beside the tender form, above it on an upright tablet or in the place of the notice there, and as one line on a phone. */
function Services({ order }: { order: OrderRow }) {
  return (
    <>
      <p className={classes(styles['names'], text['truncate'])}>{order.lines.map(({ name }) => name).join(', ')}</p>
      <div className={styles['services']}>
        <OrderLines order={order} />
        {notesOf(order) && <p className={styles['notes']}>{notesOf(order)}</p>}
      </div>
    </>
  );
}

function OrderButtons({ order, actions }: Pick<PaymentDetailsProps, 'order' | 'actions'>) {
  const { t } = useTranslation();
  const mayAdd = useMay('order.add_services');
  const isTaxed = useClinicSettings().tax_profile !== 'none';
  return (
    <div className={styles['buttons']}>
      {mayAdd && (
        <Button
          variant="quiet"
          aria-label={t('counter.orders.editFor', { number: order.number })}
          onClick={() => usePlan.getState().editTreatment(order)}
        >
          <ListPlus />
          {t('counter.orders.edit')}
        </Button>
      )}
      <ChangeTreatmentButton order={order} />
      {isTaxed && (
        <Suspense fallback={null}>
          <InvoiceButtons order={order} actions={actions} />
        </Suspense>
      )}
      <CancelOrRefundButton order={order} actions={actions} />
    </div>
  );
}

/** Opens the dialog that changes an open treatment. */
function ChangeTreatmentButton({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!useMay('order.change')) return null;
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <ListChecks />
        {t('counter.amend.open')}
      </Button>
      <Suspense fallback={null}>
        {open && <ChangeTreatmentDialog order={order} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}

function Bill({ order, onBack }: Pick<PaymentDetailsProps, 'order' | 'onBack'>) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const sums = orderSums(order);
  /** The sums explain the balance; without payments and refunds it is the total. */
  const isPart = sums.length > 1;
  const money = (minor: number) => formatMinor(minor, currencyLabel(order.currency));
  return (
    <>
      <div className={styles['head']}>
        {onBack && (
          <IconButton label={t('counter.orders.back')} className={styles['back']} onClick={onBack}>
            <ArrowLeft />
          </IconButton>
        )}
        <dl className={styles['number']}>
          <dt className={text['srOnly']}>{t('counter.payment.order')}</dt>
          <dd>{order.number}</dd>
        </dl>
        {order.unsent === 1 && <SentBadge unsent />}
      </div>
      <dl className={styles['about']}>
        {(order.customerName || order.patientId) && (
          <>
            <dt className={text['srOnly']}>{t('counter.payment.customer')}</dt>
            <dd className={styles['customer']}>
              <PatientName order={order} />
            </dd>
          </>
        )}
        {order.roomNumber && (
          <>
            <dt className={text['srOnly']}>{t('counter.room.label')}</dt>
            <dd>{nameOf(order.roomNumber)}</dd>
          </>
        )}
      </dl>
      <div className={styles['parts']}>
        {order.discountMinor > 0 && <Amount label={t('counter.discount.label')} amount={money(-order.discountMinor)} />}
        {isPart &&
          sums.map(({ name, minor }) => (
            <Amount key={name} label={t(`counter.payment.${name}`)} amount={money(minor)} />
          ))}
      </div>
      <div className={styles['balance']}>
        <span>{isPart ? t('counter.payment.due') : t('counter.payment.total')}</span>
        <span className={styles['due']} data-part={isPart || undefined}>
          {money(order.balanceMinor)}
        </span>
      </div>
    </>
  );
}

function Amount({ label, amount }: { label: string; amount: string }) {
  return (
    <div className={styles['amount']}>
      <span>{label}</span>
      <span>{amount}</span>
    </div>
  );
}
