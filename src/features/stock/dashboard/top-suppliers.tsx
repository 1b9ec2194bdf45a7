import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '../../../../domain/money.ts';
import type { StockStats } from '../../../../domain/stock/documents.ts';
import { useCurrency } from '../../../app/use-clinic-settings.ts';
import { MoneyText } from '../../../parts/money-text.tsx';
import { useClinicFormats } from '../../../app/use-clinic-formats.ts';
import { Panel } from '../../../ui/panel.tsx';
import { RowsComing, Rows, Nothing } from './rows.tsx';

/** What the server calls the items whose supplier nobody entered. */
const unnamed = 'Unknown';

/** The suppliers with the most value on the shelf, each with its share as a line. */
export function TopSuppliers({ suppliers }: { suppliers: StockStats['topSuppliers'] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  return (
    <Panel title={t('stock.dashboard.suppliers')}>
      {!suppliers ? (
        <RowsComing rows={3} />
      ) : suppliers.length === 0 ? (
        <Nothing>{t('stock.dashboard.noSuppliers')}</Nothing>
      ) : (
        <Rows>
          {suppliers.map(({ supplier, count, value, percent }) => (
            <li key={supplier}>
              <Flex justify="space-between" gap="4">
                <chakra.span fontWeight="medium" minWidth="0" truncate>
                  {supplier === unnamed ? t('stock.dashboard.unnamedSupplier') : supplier}
                </chakra.span>
                <MoneyText minor={minorFromWire(value)} currency={currency} />
              </Flex>
              <Flex justify="space-between" gap="4" fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
                <span>{t('stock.dashboard.items', { count })}</span>
                <span>{formats.percent(percent)}</span>
              </Flex>
              <chakra.div height="1" mt="1.5" bg="bg.sunken" borderRadius="full" overflow="hidden" aria-hidden>
                <chakra.div height="full" bg="accent.solid" borderRadius="full" style={{ width: `${percent}%` }} />
              </chakra.div>
            </li>
          ))}
        </Rows>
      )}
    </Panel>
  );
}
