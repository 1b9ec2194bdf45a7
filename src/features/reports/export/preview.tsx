import { chakra } from '@chakra-ui/react';
import { ClipboardList, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { SalesPreview } from '#domain/report/resources.ts';
import { sumRows } from '#domain/report/sums.ts';
import type { SumRow } from '#domain/report/sums.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import type { ServerData } from '#src/server-data/use-server-data.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { TaxTable } from '#src/formats/tax-table.tsx';
import { Pagination } from '#src/lists/pagination.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { FigureStrip } from '#src/ui/figure-strip.tsx';
import { OrderTable } from '../orders/order-table.tsx';

interface PreviewProps {
  found: ServerData<{ data: SalesPreview }>;
  /** The amounts by tax of all matches; undefined while they load, and without a tax profile. */
  taxes: readonly TaxTotalPayload[] | undefined;
  page: number;
  size: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
  /** Removes the filters; undefined without any. */
  onShowAll: (() => void) | undefined;
}

/** The rows that an export with these filters would contain, and below them their totals. */
export function Preview({ found, taxes, page, size, onPage, onSize, onShowAll }: PreviewProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const sales = found.value?.data;
  if (found.fault) return <NotLoaded data={found} />;
  return (
    <chakra.section aria-labelledby="sales-preview" display="flex" flexDirection="column" gap="3" minWidth="0">
      <chakra.h3 id="sales-preview" srOnly>
        {t('reports.preview.title')}
      </chakra.h3>
      <OrderTable
        label={t('reports.preview.title')}
        rows={sales?.data}
        isPage
        empty={
          onShowAll ? (
            <EmptyState icon={<SearchX />} title={t('reports.preview.empty')} text={t('reports.preview.emptyText')}>
              <Button onClick={onShowAll}>{t('list.showAll')}</Button>
            </EmptyState>
          ) : (
            <EmptyState
              icon={<ClipboardList />}
              title={t('reports.preview.none')}
              text={t('reports.orders.emptyText')}
            />
          )
        }
      />
      {sales && sales.total > 0 && (
        <Pagination page={page} size={size} total={sales.total} onPage={onPage} onSize={onSize} />
      )}
      {sales && (
        <chakra.output fontWeight="semibold" srOnly={sales.total === 0}>
          {t('reports.preview.found', { count: sales.total, quantity: formats.quantity(sales.total) })}
        </chakra.output>
      )}
      {sales && sales.total > 0 && <Sums sales={sales} />}
      {taxes && taxes.length > 0 && (
        <chakra.div minWidth="0">
          <chakra.h4 fontWeight="semibold" pb="2">
            {t('tax.report.title')}
          </chakra.h4>
          <TaxTable label={t('tax.report.title')} totals={taxes} />
        </chakra.div>
      )}
    </chakra.section>
  );
}

/** The sums of all matches. Those of cancelled treatments and of other currencies stand below, because they never add up. */
function Sums({ sales }: { sales: SalesPreview }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [first, ...apart] = sumRows(sales);
  const money = (wire: number | undefined, currency: string) =>
    wire === undefined ? undefined : formatMinor(minorFromWire(wire), currencyLabel(currency));
  const label = ({ kind, currency, count }: SumRow) =>
    t(`reports.preview.sums.${kind}`, { currency: currencyLabel(currency), count, quantity: formats.quantity(count) });
  const figure = (name: 'total' | 'paid' | 'refunded') => first && money(first[name], first.currency);
  return (
    <div>
      <FigureStrip
        figures={[
          { label: first ? label(first) : t('reports.preview.sums.total'), value: figure('total') },
          { label: t('reports.preview.paid'), value: figure('paid') },
          { label: t('reports.preview.refunded'), value: figure('refunded') },
        ]}
      />
      {apart.map((row) => (
        <chakra.p key={`${row.kind} ${row.currency}`} color="fg.muted" mt="2" fontVariantNumeric="tabular-nums">
          {t('reports.preview.sums.apart', {
            what: label(row),
            total: money(row.total, row.currency),
            paid: money(row.paid, row.currency),
            refunded: money(row.refunded, row.currency),
          })}
        </chakra.p>
      ))}
    </div>
  );
}
