import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '../db/database.ts';
import { MoneyText } from '../formats/money.tsx';
import { useCustomerName } from '../formats/use-customer-name.ts';

/** Lists the payments and refunds of a treatment, with their balance. */
export function PaidSoFar({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const customerOf = useCustomerName();
  const { payments, paidMinor, balanceMinor, currency } = order;
  return (
    <chakra.section aria-label={t('refund.taken')}>
      <Flex justify="space-between" gap="3" fontWeight="medium">
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {order.number}
        </chakra.span>
        <chakra.span minWidth="0" overflowWrap="anywhere" textAlign="end">
          {customerOf(order)}
        </chakra.span>
      </Flex>
      <chakra.dl fontSize="sm" mt="2">
        {payments.map(({ paymentId, method, amountMinor, creditNoteNumber }) => {
          const name = t(`counter.methods.${method}`);
          const label = amountMinor < 0 ? `${t('refund.back')} · ${name}` : name;
          return (
            <Sum key={paymentId} label={label} number={creditNoteNumber} minor={amountMinor} currency={currency} />
          );
        })}
        <Sum label={t('refund.held')} minor={paidMinor} currency={currency} isStrong />
        {balanceMinor < 0 && <Sum label={t('refund.surplusHeld')} minor={-balanceMinor} currency={currency} />}
      </chakra.dl>
    </chakra.section>
  );
}

function Sum({
  label,
  number = null,
  minor,
  currency,
  isStrong = false,
}: {
  label: string;
  number?: string | null;
  minor: number;
  currency: string;
  isStrong?: boolean;
}) {
  return (
    <Flex
      justify="space-between"
      gap="3"
      py="1.5"
      borderTopWidth="1px"
      borderColor="border"
      color={isStrong ? 'fg' : 'fg.muted'}
      fontWeight={isStrong ? 'semibold' : 'normal'}
    >
      <chakra.dt overflowWrap="anywhere">
        {label}
        {number && <chakra.span whiteSpace="nowrap"> · {number}</chakra.span>}
      </chakra.dt>
      <chakra.dd>
        <MoneyText minor={minor} currency={currency} />
      </chakra.dd>
    </Flex>
  );
}
