import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LotResource } from '#domain/stock/resources.ts';
import { businessDay } from '#domain/business-day.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { lotAlert } from '#domain/stock/alerts.ts';
import type { AlertCondition } from '#domain/stock/alerts.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import type { Column } from '#src/ui/columns.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';

/** Returns the table columns and the phone card of a lot. */
export function useLotViews({ onRecall }: { onRecall: (lot: LotResource) => void }): {
  columns: Column<LotResource>[];
  card: (lot: LotResource) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const recall = (lot: LotResource) => (
    <Button
      size="sm"
      variant="quiet"
      aria-label={t('stock.lots.recallLot', { lot: lot.lot_number })}
      onClick={() => onRecall(lot)}
    >
      {t('stock.lots.recall')}
    </Button>
  );
  const remaining = ({ remaining: left, unit }: LotResource) => `${formats.quantity(left)} ${unitName(unit)}`;
  const columns: Column<LotResource>[] = [
    {
      key: 'number',
      header: t('stock.lots.columns.number'),
      cell: ({ lot_number }) => (
        <chakra.span fontWeight="medium" overflowWrap="anywhere">
          {lot_number}
        </chakra.span>
      ),
    },
    {
      key: 'item',
      header: t('stock.lots.columns.item'),
      cell: ({ name }) => (
        <chakra.span lineClamp="2" overflowWrap="anywhere">
          {name}
        </chakra.span>
      ),
    },
    { key: 'expires', header: t('stock.lots.columns.expires'), cell: (lot) => <LotExpiry lot={lot} /> },
    { key: 'remaining', header: t('stock.lots.columns.remaining'), numeric: true, cell: remaining },
    {
      key: 'received',
      header: t('stock.lots.columns.received'),
      from: 60,
      numeric: true,
      cell: ({ received }) => formats.quantity(received),
    },
    {
      key: 'receivedAt',
      header: t('stock.lots.columns.receivedAt'),
      from: 52,
      cell: ({ received_at }) => <chakra.span whiteSpace="nowrap">{formats.date(received_at)}</chakra.span>,
    },
    { key: 'actions', header: t('stock.lots.columns.actions'), actions: true, cell: recall },
  ];
  const card = (lot: LotResource) => (
    <Flex direction="column" gap="2" fontSize="sm">
      <chakra.h3 fontSize="md" fontWeight="medium" overflowWrap="anywhere">
        {lot.lot_number}
      </chakra.h3>
      <chakra.p overflowWrap="anywhere">{lot.name}</chakra.p>
      <LotExpiry lot={lot} />
      <Flex align="center" justify="space-between" wrap="wrap" gap="3">
        <chakra.span fontVariantNumeric="tabular-nums">{`${t('stock.lots.columns.remaining')}: ${remaining(lot)}`}</chakra.span>
        {recall(lot)}
      </Flex>
    </Flex>
  );
  return { columns, card };
}

/** Expiry date of a lot, with a badge when it is used up, expired or expires soon. */
export function LotExpiry({ lot }: { lot: Pick<LotResource, 'expires_on' | 'remaining'> }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const alert = useLotAlert()(lot);
  const { expires_on, remaining } = lot;
  return (
    <Flex align="center" wrap="wrap" gap="2">
      <chakra.span whiteSpace="nowrap">{expires_on ? formats.day(expires_on) : t('stock.lots.noExpiry')}</chakra.span>
      {remaining <= 0 && <Badge>{t('stock.lots.usedUp')}</Badge>}
      {alert && (
        <Badge tone={alert.severity === 'high' ? 'refused' : 'low'}>
          {t(alert.severity === 'high' ? 'stock.lots.expired' : 'stock.lots.soon')}
        </Badge>
      )}
    </Flex>
  );
}

/** Returns a function that finds the alert of a lot on the clinic's current business day. */
function useLotAlert(): (lot: Pick<LotResource, 'expires_on' | 'remaining'>) => AlertCondition | null {
  const { time_zone: timeZone } = useClinicSettings();
  return ({ expires_on, remaining }) =>
    lotAlert({ remainingMilli: milliFromWire(remaining), expiresOn: expires_on }, businessDay(Date.now(), timeZone));
}
