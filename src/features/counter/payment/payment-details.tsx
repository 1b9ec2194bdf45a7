import { chakra, Flex } from '@chakra-ui/react';
import { ArrowLeft, ListPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '../../../db/database.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { OrderLines } from '../order-lines.tsx';
import { useRoomName } from '../../../formats/use-room-name.ts';
import { SentBadge } from '../../../sync/sent-badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useMay } from '../../../session/session.ts';
import { usePlan } from '../plan-store.ts';
import { ChangeTreatmentButton } from '../change/change-treatment-button.tsx';
import { PatientName } from '../patients/patient-name.tsx';
import { CancelOrRefundButton } from './cancel-or-refund-button.tsx';
import { TenderForm } from './tender-form.tsx';
import type { PaymentActions } from './use-payment-actions.ts';

const sideBySide = '@container (min-width: 42rem)';

interface PaymentDetailsProps {
  order: OrderRow;
  actions: PaymentActions;
  /** Returns to the list; null where the list is shown beside the details. */
  onBack: (() => void) | null;
}

export function PaymentDetails({ order, actions, onBack }: PaymentDetailsProps) {
  const { t } = useTranslation();
  const mayPay = useMay('order.pay');
  return (
    <chakra.section
      aria-label={t('counter.payment.title')}
      flex="1"
      minWidth="0"
      minHeight="0"
      overflowY="auto"
      bg="bg.surface"
      css={{ containerType: 'inline-size', scrollbarWidth: 'thin' }}
    >
      <Flex
        direction="column"
        minHeight="full"
        px="4"
        css={{ [sideBySide]: { flexDirection: 'row', gap: '2rem', paddingInline: '2rem' } }}
      >
        <Flex
          direction="column"
          pt={{ base: '2', md: '4' }}
          css={{ [sideBySide]: { flex: 1, minWidth: 0, paddingTop: '1.5rem', paddingBottom: '1rem' } }}
        >
          <Bill order={order} onBack={onBack} />
          <Services order={order} />
          <chakra.div display="none" mt="auto" pt="4" css={{ [sideBySide]: { display: 'block' } }}>
            <OrderButtons order={order} actions={actions} />
          </chakra.div>
        </Flex>
        <Flex
          direction="column"
          flex="1"
          pt={{ base: '2', md: '4' }}
          css={{
            [sideBySide]: { flex: '0 0 22rem', paddingTop: '1.5rem', minHeight: '100%', position: 'sticky', top: 0 },
          }}
        >
          {mayPay ? (
            <TenderForm
              key={`${order.id} ${order.balanceMinor}`}
              order={order}
              pending={actions.pending}
              onPay={(tender) => void actions.pay(order, tender)}
            />
          ) : (
            <chakra.p color="fg.muted">{t('errors.FORBIDDEN')}</chakra.p>
          )}
          <chakra.div pb="4" css={{ [sideBySide]: { display: 'none' } }}>
            <OrderButtons order={order} actions={actions} />
          </chakra.div>
        </Flex>
      </Flex>
    </chakra.section>
  );
}

/** The services beside the tender form, above it on an upright tablet, and as one line on a phone. */
function Services({ order }: { order: OrderRow }) {
  return (
    <>
      <chakra.p fontSize="sm" color="fg.muted" truncate hideFrom="md">
        {order.lines.map(({ name }) => name).join(', ')}
      </chakra.p>
      <chakra.div
        hideBelow="md"
        mt="3"
        pt="1"
        borderTopWidth="1px"
        borderColor="border"
        maxHeight="11rem"
        overflowY="auto"
        css={{ scrollbarWidth: 'thin', [sideBySide]: { maxHeight: 'none', overflowY: 'visible' } }}
      >
        <OrderLines lines={order.lines} currency={order.currency} />
        {order.notes && (
          <chakra.p mt="2" fontSize="sm" color="fg.muted" whiteSpace="pre-wrap" overflowWrap="anywhere">
            {order.notes}
          </chakra.p>
        )}
      </chakra.div>
    </>
  );
}

function OrderButtons({ order, actions }: Pick<PaymentDetailsProps, 'order' | 'actions'>) {
  const { t } = useTranslation();
  const mayAdd = useMay('order.add_services');
  return (
    <Flex wrap="wrap" gap="2" css={{ '& > *': { flex: '1 1 auto', width: 'auto', paddingInline: '0.5rem' } }}>
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
      <CancelOrRefundButton order={order} actions={actions} />
    </Flex>
  );
}

function Bill({ order, onBack }: Pick<PaymentDetailsProps, 'order' | 'onBack'>) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const isPartPaid = order.paidMinor !== 0;
  return (
    <>
      <Flex align="center" gap="2">
        {onBack && (
          <IconButton label={t('counter.orders.back')} ms="-3" onClick={onBack}>
            <ArrowLeft />
          </IconButton>
        )}
        <chakra.dl flex="1" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          <chakra.dt srOnly>{t('counter.payment.order')}</chakra.dt>
          <dd>{order.number}</dd>
        </chakra.dl>
        {order.unsent === 1 && <SentBadge unsent />}
      </Flex>
      <chakra.dl
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        columnGap="3"
        fontSize="sm"
        color="fg.muted"
        overflowWrap="anywhere"
      >
        {(order.customerName || order.patientId) && (
          <>
            <chakra.dt srOnly>{t('counter.payment.customer')}</chakra.dt>
            <chakra.dd minWidth="0">
              <PatientName order={order} />
            </chakra.dd>
          </>
        )}
        {order.roomNumber && (
          <>
            <chakra.dt srOnly>{t('counter.room.label')}</chakra.dt>
            <dd>{nameOf(order.roomNumber)}</dd>
          </>
        )}
      </chakra.dl>
      <Flex
        direction={{ base: 'row', md: 'column' }}
        wrap="wrap"
        columnGap="4"
        rowGap="1"
        mt={{ base: '1', md: '3' }}
        fontSize="sm"
        color="fg.muted"
        css={{ '&:empty': { display: 'none' } }}
      >
        {order.discountMinor > 0 && (
          <Amount label={t('counter.discount.label')} minor={-order.discountMinor} currency={order.currency} />
        )}
        {isPartPaid && (
          <>
            <Amount label={t('counter.payment.total')} minor={order.totalMinor} currency={order.currency} />
            <Amount label={t('counter.payment.paid')} minor={order.paidMinor} currency={order.currency} />
          </>
        )}
      </Flex>
      <Flex justify="space-between" align="baseline" gap="3" mt={{ base: '0', md: '2' }}>
        <chakra.span fontWeight="medium">
          {isPartPaid ? t('counter.payment.due') : t('counter.payment.total')}
        </chakra.span>
        <MoneyText
          minor={order.balanceMinor}
          currency={order.currency}
          fontSize="xl"
          fontWeight="semibold"
          lineHeight="1.2"
          letterSpacing="tight"
          color={isPartPaid ? 'due.fg' : 'fg'}
        />
      </Flex>
    </>
  );
}

function Amount({ label, minor, currency }: { label: string; minor: number; currency: string }) {
  return (
    <Flex justify="space-between" gap={{ base: '1.5', md: '3' }}>
      <span>{label}</span>
      <MoneyText minor={minor} currency={currency} />
    </Flex>
  );
}
