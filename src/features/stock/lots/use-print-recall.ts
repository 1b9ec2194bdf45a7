import { useTranslation } from 'react-i18next';
import type { PrintedRow } from '../../../../domain/protocol/operations.ts';
import { milliFromWire, milliToWire } from '../../../../domain/quantity.ts';
import type { RecalledLot } from '../../../../domain/stock/resources.ts';
import { useClinicSettings } from '../../../local-data/use-clinic-settings.ts';
import { openPrintTarget } from '../../../printing/print-target.ts';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import { intlTag } from '../../../ui/intl-tag.ts';
import { toast } from '../../../ui/toaster.tsx';
import { useUnitName } from '../../../formats/use-unit-name.ts';

/** Prints who received a lot, whole, on a sheet for the file. To be called within the tap. */
export function usePrintRecall(): (lot: RecalledLot) => Promise<void> {
  const { t, i18n } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const { practice_name } = useClinicSettings();

  function rowsOf(lot: RecalledLot): PrintedRow[] {
    const quantity = (amount: number) => `${formats.quantity(amount)} ${unitName(lot.unit)}`;
    return [
      { style: 'title', left: t('stock.lots.recallLot', { lot: lot.lot_number }) },
      { style: 'text', left: practice_name },
      { style: 'small', left: t('stock.lots.printed', { date: formats.dateTime(Date.now()) }) },
      { style: 'rule' },
      { style: 'pair', left: t('stock.lots.columns.item'), right: lot.name },
      {
        style: 'pair',
        left: t('stock.lots.columns.expires'),
        right: lot.expires_on ? formats.day(lot.expires_on) : t('stock.lots.noExpiry'),
      },
      { style: 'pair', left: t('stock.lots.columns.received'), right: quantity(lot.received) },
      { style: 'pair', left: t('stock.lots.columns.remaining'), right: quantity(lot.remaining) },
      { style: 'rule' },
      ...lot.recipients.flatMap(({ order_number, customer_name, quantity: used, used_at }): PrintedRow[] => [
        {
          style: 'item',
          left: `${order_number} · ${customer_name || t('stock.lots.noCustomer')}`,
          right: quantity(used),
        },
        { style: 'small', left: formats.dateTime(used_at) },
      ]),
      { style: 'rule' },
      {
        style: 'pair',
        left: t('stock.lots.recipients', { count: lot.recipients.length }),
        right: quantity(sumOf(lot)),
      },
    ];
  }

  return async (lot) => {
    const target = openPrintTarget();
    try {
      await target.print({
        title: t('stock.lots.recallLot', { lot: lot.lot_number }),
        language: intlTag(i18n.language),
        width: 'A4',
        rows: rowsOf(lot),
        copyWord: null,
      });
    } catch (error) {
      console.error('The list could not be made.', error);
      target.discard();
      toast({ tone: 'error', title: t('stock.lots.printFailed') });
    }
  };
}

/** Thousandths add up exactly, decimals do not. */
const sumOf = ({ recipients }: RecalledLot): number =>
  milliToWire(recipients.reduce((sum, { quantity }) => sum + milliFromWire(quantity), 0));
