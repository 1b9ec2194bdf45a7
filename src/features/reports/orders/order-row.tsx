import { chakra, Flex } from '@chakra-ui/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ReportItem, ReportOrder } from '#domain/report/resources.ts';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { desk } from '#src/ui/desk.ts';
import { IconButton } from '#src/ui/icon-button.tsx';

/** Grid of the seven columns. On a phone a row has two lines instead. */
export const columns = {
  display: 'grid',
  gridTemplateColumns: {
    base: 'minmax(0, 1fr) auto 3rem',
    md: 'minmax(0, 2.2fr) minmax(0, 0.9fr) minmax(0, 1fr) 3rem minmax(6.75rem, 1.1fr) minmax(7rem, 1.4fr) 3rem',
  },
  columnGap: '3',
} as const;

const tones = { completed: 'paid', served: 'accent', confirmed: 'blue', cancelled: 'neutral' } as const;

interface OrderRowProps {
  order: ReportOrder;
  index: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** Formats an amount in the treatment's own currency, which stays when the clinic changes its currency. */
const amountIn = (currency: string, wire: number): string => formatMinor(minorFromWire(wire), currencyLabel(currency));

export function OrderRow({ order, index, isOpen, onToggle }: OrderRowProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { id, number, customer_name, order_type, status, items_count, total, currency, created_at } = order;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const detailsId = `order-${id}`;
  return (
    <>
      <chakra.tr
        aria-rowindex={index + 2}
        {...columns}
        borderBottomWidth="1px"
        borderColor="border"
        alignItems="center"
        minHeight="var(--row, 4rem)"
        ps="4"
        py="var(--cell-padding, 0.5rem)"
        cursor="pointer"
        onClick={onToggle}
        _hover={{ bg: 'bg.hover' }}
        color={status === 'cancelled' ? 'fg.muted' : 'fg'}
      >
        <chakra.td
          minWidth="0"
          // One line at a desk, where a name has room beside the number.
          css={{ [desk]: { display: 'flex', gap: '{spacing.3}', '& > :first-child': { flexShrink: 0 } } }}
        >
          <chakra.span display="block" fontWeight="medium" fontVariantNumeric="tabular-nums" truncate>
            {number}
          </chakra.span>
          {customer_name && (
            <chakra.span display="block" color="fg.muted" truncate title={customer_name}>
              {customer_name}
            </chakra.span>
          )}
        </chakra.td>
        <chakra.td hideBelow="md" truncate>
          {t(`counter.types.${order_type}`)}
        </chakra.td>
        <chakra.td gridRow={{ base: '2', md: 'auto' }}>
          <Badge tone={tones[status]}>{t(`reports.status.${status}`)}</Badge>
        </chakra.td>
        <chakra.td hideBelow="md" textAlign="end" fontVariantNumeric="tabular-nums">
          {formats.quantity(items_count)}
        </chakra.td>
        <chakra.td
          gridColumn={{ base: '2', md: 'auto' }}
          gridRow={{ base: '1', md: 'auto' }}
          textAlign="end"
          fontWeight="medium"
          fontVariantNumeric="tabular-nums"
          whiteSpace="nowrap"
          textDecoration={status === 'cancelled' ? 'line-through' : 'none'}
        >
          {amountIn(currency, total)}
        </chakra.td>
        <chakra.td
          gridColumn={{ base: '2', md: 'auto' }}
          gridRow={{ base: '2', md: 'auto' }}
          ps={{ base: '0', md: '4' }}
          color="fg.muted"
          textAlign={{ base: 'end', md: 'start' }}
          fontVariantNumeric="tabular-nums"
          // An upright tablet has room for two lines.
          whiteSpace={{ base: 'nowrap', md: 'normal', lg: 'nowrap' }}
        >
          {formats.dateTime(created_at)}
        </chakra.td>
        <chakra.td gridColumn={{ base: '3', md: 'auto' }} gridRow={{ base: '1 / span 2', md: 'auto' }}>
          <IconButton
            size="sm"
            label={t(isOpen ? 'reports.orders.hide' : 'reports.orders.show', { number })}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          >
            <Chevron />
          </IconButton>
        </chakra.td>
      </chakra.tr>
      {isOpen && (
        <chakra.tr display="block" id={detailsId}>
          <chakra.td colSpan={7} display="block">
            <Details order={order} />
          </chakra.td>
        </chakra.tr>
      )}
    </>
  );
}

function Details({ order }: { order: ReportOrder }) {
  const { t } = useTranslation();
  const { currency, paid, refunded, discount, invoice_numbers, items, order_type } = order;
  const amount = (wire: number) => amountIn(currency, wire);
  const details = [
    t('reports.orders.paid', { amount: amount(paid) }),
    refunded > 0 && t('reports.orders.refunded', { amount: amount(refunded) }),
    discount > 0 && t('reports.orders.discount', { amount: amount(discount) }),
    ...invoice_numbers,
  ].filter(Boolean);
  return (
    <chakra.div bg="bg" px="4" py="3" borderBottomWidth="1px" borderColor="border">
      <Items items={items} amount={amount} />
      <Flex wrap="wrap" columnGap="4" rowGap="1" mt="2" color="fg.muted" fontVariantNumeric="tabular-nums">
        <chakra.span hideFrom="md">{t(`counter.types.${order_type}`)}</chakra.span>
        {details.map((detail) => (
          <span key={String(detail)}>{detail}</span>
        ))}
      </Flex>
    </chakra.div>
  );
}

const Head = chakra('th', { base: { py: '1', pe: '4', fontWeight: 'medium', color: 'fg.muted', textAlign: 'start' } });
const Cell = chakra('td', { base: { py: '1', pe: '4', verticalAlign: 'top', overflowWrap: 'anywhere' } });
const figures = { textAlign: 'end', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const;

/** Items of a treatment. On a phone the notes stand below the name instead of in a column. */
function Items({ items, amount }: { items: readonly ReportItem[]; amount: (wire: number) => string }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const hasNotes = items.some(({ notes }) => notes !== '');
  return (
    <chakra.table width="full" css={{ borderCollapse: 'collapse' }}>
      <thead>
        <tr>
          <Head scope="col">{t('reports.orders.item.name')}</Head>
          <Head scope="col" {...figures}>
            {t('reports.orders.item.quantity')}
          </Head>
          <Head scope="col" hideBelow="md" {...figures}>
            {t('reports.orders.item.unitCost')}
          </Head>
          <Head scope="col" {...figures}>
            {t('reports.orders.item.price')}
          </Head>
          {hasNotes && (
            <Head scope="col" hideBelow="md" width="35%">
              {t('reports.orders.item.notes')}
            </Head>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map(({ name, quantity, unit_cost, price, notes }, index) => (
          <tr key={index}>
            <Cell>
              {name}
              <chakra.span display="block" hideFrom="md" color="fg.muted">
                {t('reports.orders.item.each', { amount: amount(unit_cost) })}
                {notes && ` · ${notes}`}
              </chakra.span>
            </Cell>
            <Cell {...figures}>{formats.quantity(quantity)}</Cell>
            <Cell hideBelow="md" {...figures}>
              {amount(unit_cost)}
            </Cell>
            <Cell {...figures}>{amount(price)}</Cell>
            {hasNotes && (
              <Cell hideBelow="md" color="fg.muted">
                {notes}
              </Cell>
            )}
          </tr>
        ))}
      </tbody>
    </chakra.table>
  );
}
