import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { actionKey } from '#domain/audit/actions.ts';
import type { AuditResource } from '#domain/audit/resources.ts';
import { expenseCategories } from '#domain/expense/vocabulary.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { minorFromWire } from '#domain/money.ts';
import { roles } from '#domain/staff/roles.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import type { Column } from '#src/ui/columns.ts';
import { detailsOf } from './details.ts';
import type { FoldedEntry } from './fold-entries.ts';
import type { Detail } from './details.ts';

/** Returns the table columns and the phone card of an audit entry. */
export function useAuditViews(): { columns: Column<FoldedEntry>[]; card: (row: FoldedEntry) => ReactNode } {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const time = ({ at, since }: FoldedEntry) =>
    since === at ? formats.dateTime(at) : formats.dateTimes({ start: since, end: at });
  const columns: Column<FoldedEntry>[] = [
    {
      key: 'at',
      header: t('audit.columns.at'),
      width: '11rem',
      cell: (row) => <chakra.span whiteSpace="nowrap">{time(row)}</chakra.span>,
    },
    { key: 'person', header: t('audit.columns.person'), width: '11rem', cell: (row) => <Person row={row} /> },
    { key: 'action', header: t('audit.columns.action'), width: '16rem', cell: (row) => <Action row={row} /> },
    { key: 'details', header: t('audit.columns.details'), cell: (row) => <Details row={row} /> },
  ];
  const card = (row: FoldedEntry) => (
    <Flex direction="column" gap="2" fontSize="sm">
      <Action row={row} />
      <Details row={row} />
      <Flex justify="space-between" gap="3" color="fg.muted">
        <Person row={row} />
        <chakra.span textAlign="end" flexShrink="0">
          {time(row)}
        </chakra.span>
      </Flex>
    </Flex>
  );
  return { columns, card };
}

function Action({ row: { action, subject, others } }: { row: FoldedEntry }) {
  const { t } = useTranslation();
  return (
    <chakra.div css={{ overflowWrap: 'anywhere' }}>
      <chakra.span fontWeight="medium">{t(`audit.actions.${actionKey(action)}`)}</chakra.span>
      {others.length > 0 && (
        <chakra.span color="fg.muted">{` · ${t('audit.times', { count: others.length + 1 })}`}</chakra.span>
      )}
      {subject && (
        <chakra.span display="block" color="fg.muted" fontVariantNumeric="tabular-nums">
          {[...new Set([subject, ...others])].filter(Boolean).join(', ')}
        </chakra.span>
      )}
    </chakra.div>
  );
}

function Person({ row: { person, approver, uploader, device } }: { row: AuditResource }) {
  const { t } = useTranslation();
  return (
    <chakra.div css={{ overflowWrap: 'anywhere' }} minWidth="0">
      {person?.name ?? t('audit.nobody')}
      {approver && (
        <chakra.span display="block" color="fg.muted">
          {t('audit.approvedBy', { name: approver.name })}
        </chakra.span>
      )}
      {uploader && (
        <chakra.span display="block" color="fg.muted">
          {t('audit.sentBy', { name: uploader.name })}
        </chakra.span>
      )}
      {device && (
        <chakra.span display="block" color="fg.muted">
          {t('audit.deviceCode', { code: [device.code, device.name].filter(Boolean).join(' · ') })}
        </chakra.span>
      )}
    </chakra.div>
  );
}

function Details({ row }: { row: AuditResource }) {
  const { t } = useTranslation();
  const details = detailsOf(row);
  if (details.length === 0) return null;
  return (
    <chakra.dl display="flex" flexWrap="wrap" columnGap="4" rowGap="1" css={{ overflowWrap: 'anywhere' }}>
      {details.map((detail) => (
        <Flex key={detail.name} gap="2" minWidth="0">
          <chakra.dt color="fg.muted" flexShrink="0">
            {t(`audit.details.${detail.name}` as 'audit.details.amount', {
              defaultValue: detail.name.replaceAll('_', ' '),
            })}
          </chakra.dt>
          <chakra.dd minWidth="0" fontVariantNumeric="tabular-nums">
            <Value detail={detail} />
          </chakra.dd>
        </Flex>
      ))}
    </chakra.dl>
  );
}

/** Details whose values are a fixed vocabulary, which is translated. */
const translatedDetails: ReadonlySet<string> = new Set(['status', 'direction', 'change', 'password', 'paid_from']);

/** Formats amounts as money and translates values of a fixed vocabulary. */
function Value({ detail: { name, value, isMoney } }: { detail: Detail }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  if (isMoney) return <MoneyText minor={minorFromWire(value as number)} currency={currency} />;
  const method = name === 'payment_method' && paymentMethods.find((each) => each === value);
  if (method) return t(`counter.methods.${method}`);
  const role = name === 'role' && roles.find((each) => each === value);
  if (role) return t(`roles.${role}.name`);
  const category = name === 'category' && expenseCategories.find((each) => each === value);
  if (category) return t(`expenses.categories.${category}`);
  return translatedDetails.has(name)
    ? t(`audit.values.${value}` as 'audit.values.active', { defaultValue: String(value) })
    : value;
}
