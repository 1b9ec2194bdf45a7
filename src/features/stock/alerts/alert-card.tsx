import { chakra, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DescriptionItem } from '../description-item.tsx';
import { PressableRow } from '../pressable-row.tsx';
import { desk } from '#src/ui/desk.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { adviceFor, hasExpired, restockQuantity } from './advice.ts';

/** Alert as a row that expands to show details of the item and the recommended action. */
export function AlertCard({
  alert,
  actions,
  action,
}: {
  alert: StockAlertResource;
  actions: ReactNode;
  /** What is usually done, in reach without opening the row where it has room. */
  action: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <chakra.li opacity={alert.resolved ? 0.7 : 1} css={{ '& + &': { borderTop: '1px solid {colors.border}' } }}>
      <Flex align="center">
        <PressableRow
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
          flex="1"
          minWidth="0"
          css={{ [desk]: { paddingBlock: '{spacing.1}', minHeight: 'var(--row)' } }}
        >
          <chakra.span
            aria-hidden
            color="fg.muted"
            flexShrink={0}
            transition="rotate 120ms"
            style={{ rotate: isOpen ? '180deg' : '0deg' }}
          >
            <ChevronDown size={20} />
          </chakra.span>
          <Summary alert={alert} />
        </PressableRow>
        {/* As wide without it, so that what is before it stands in one column. */}
        <chakra.div hideBelow="md" flexShrink={0} width="28" pe="2" display="flex" justifyContent="flex-end">
          {action}
        </chakra.div>
      </Flex>
      <chakra.div id={bodyId} hidden={!isOpen} px="4" pb="4">
        {isOpen && (
          <>
            <Details alert={alert} />
            <Flex wrap="wrap" gap="2" mt="4">
              {actions}
            </Flex>
          </>
        )}
      </chakra.div>
    </chakra.li>
  );
}

function Summary({ alert }: { alert: StockAlertResource }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { Stock, alert_type, severity, status, current_quantity, threshold_quantity, lot, created_at } = alert;
  const unit = useUnitName()(alert.unit);
  const facts = [
    lot && `${t('stock.alerts.lot')} ${lot.lot_number}`,
    lot && `${t('stock.alerts.expires')} ${formats.day(lot.expires_on)}`,
    `${t('stock.alerts.current')} ${formats.quantity(current_quantity)} ${unit}`,
    !lot && `${t('stock.alerts.threshold')} ${formats.quantity(threshold_quantity)}`,
    `${t('stock.alerts.created')} ${formats.dateTime(created_at)}`,
  ].filter((fact) => fact !== null && fact !== false);
  return (
    <Flex
      flex="1"
      minWidth="0"
      direction={{ base: 'column', md: 'row' }}
      align={{ base: 'flex-start', md: 'center' }}
      justify="space-between"
      gap={{ base: '2', md: '4' }}
    >
      <chakra.span
        flex="1"
        minWidth="0"
        // One line at a desk. A fact without room there is among the details.
        css={{
          [desk]: {
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'baseline',
            columnGap: '{spacing.4}',
            height: '1.5em',
            lineHeight: '1.5em',
            overflow: 'hidden',
          },
        }}
      >
        <chakra.span
          display="block"
          fontWeight="medium"
          overflowWrap="anywhere"
          title={Stock.name}
          css={{ [desk]: { maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } }}
        >
          {Stock.name}
        </chakra.span>
        <chakra.span
          display="flex"
          flexWrap="wrap"
          columnGap="4"
          fontSize="sm"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
          css={{ [desk]: { display: 'contents' } }}
        >
          {facts.map((fact) => (
            <chakra.span
              key={fact}
              whiteSpace="nowrap"
              css={{ [desk]: { fontSize: '{fontSizes.sm}', color: '{colors.fg.muted}' } }}
            >
              {fact}
            </chakra.span>
          ))}
        </chakra.span>
      </chakra.span>
      <Flex gap="2" wrap="wrap" flexShrink={0}>
        {status !== 'active' && <Badge>{t(`stock.alerts.status.${status}`)}</Badge>}
        <Badge>{hasExpired(alert) ? t('stock.alerts.expired') : t(`stock.alertTypes.${alert_type}`)}</Badge>
        <Badge tone={severity === 'high' ? 'refused' : 'low'}>{t(`stock.alerts.severity.${severity}`)}</Badge>
      </Flex>
    </Flex>
  );
}

function Details({ alert }: { alert: StockAlertResource }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  const unitName = useUnitName();
  const { Stock, lot, created_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by } = alert;
  const supplier = Stock.supplier || t('stock.dashboard.unnamedSupplier');
  return (
    <chakra.div display="grid" gap="4" borderTopWidth="1px" borderColor="border" pt="4">
      <chakra.dl
        aria-label={t('stock.alerts.details')}
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr) minmax(0, 1fr)', md: 'repeat(auto-fit, minmax(9rem, 1fr))' }}
        gap="4"
        fontSize="sm"
      >
        {lot && (
          <DescriptionItem
            term={t('stock.alerts.remaining')}
          >{`${formats.quantity(lot.remaining)} ${unitName(alert.unit)}`}</DescriptionItem>
        )}
        <DescriptionItem term={t('stock.alerts.created')}>{formats.dateTime(created_at)}</DescriptionItem>
        <DescriptionItem term={t('stock.alerts.supplier')}>{supplier}</DescriptionItem>
        <DescriptionItem term={t('stock.alerts.contact')}>{Stock.supplier_contact || '—'}</DescriptionItem>
        <DescriptionItem term={t('stock.alerts.cost')}>
          <MoneyText minor={minorFromWire(Stock.cost_per_unit)} currency={currency} />
        </DescriptionItem>
        <DescriptionItem term={t('stock.alerts.restocked')}>
          {Stock.last_restocked_at ? formats.date(Stock.last_restocked_at) : t('stock.never')}
        </DescriptionItem>
      </chakra.dl>
      <div>
        <chakra.h2 fontSize="sm" fontWeight="semibold">
          {t('stock.alerts.recommended')}
        </chakra.h2>
        <chakra.p mt="1" maxWidth="40rem">
          {t(`stock.alerts.advice.${adviceFor(alert)}`, {
            supplier: [supplier, Stock.supplier_contact].filter(Boolean).join(', '),
            missing: formats.quantity(restockQuantity(alert)),
            unit: unitName(alert.unit),
            lot: lot?.lot_number,
            date: lot && formats.day(lot.expires_on),
          })}
        </chakra.p>
      </div>
      {acknowledged_at && (
        <chakra.p fontSize="sm" color="fg.muted">
          {t('stock.alerts.acknowledgedBy', { name: acknowledged_by, date: formats.dateTime(acknowledged_at) })}
        </chakra.p>
      )}
      {resolved_at && (
        <chakra.p fontSize="sm" color="fg.muted">
          {resolved_by
            ? t('stock.alerts.resolvedBy', { name: resolved_by, date: formats.dateTime(resolved_at) })
            : t('stock.alerts.resolvedItself', { date: formats.dateTime(resolved_at) })}
        </chakra.p>
      )}
    </chakra.div>
  );
}
