import { useTranslation } from 'react-i18next';
import { inPart } from '#domain/printed-row.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import type { RecalledLot } from '#domain/stock/resources.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { printContent } from '#src/printing/print-content.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { intlTag } from '#src/ui/intl-tag.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';

/** Prints all recipients of a lot on A4. Call it in the tap's handler. */
export function usePrintRecall(): (lot: RecalledLot) => Promise<void> {
  const { t, i18n } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const settings = useClinicSettings();

  function rowsOf(lot: RecalledLot): PrintedRow[] {
    const quantity = (amount: number) => `${formats.quantity(amount)} ${unitName(lot.unit)}`;
    const recipientRows = (recipient: RecalledLot['recipients'][number]): PrintedRow[] => {
      const { order_number, customer_name, quantity: used, used_at } = recipient;
      const who = `${order_number} · ${customer_name || t('stock.lots.noCustomer')}`;
      const [amount, at] = [quantity(used), formats.dateTime(used_at)];
      return [
        { style: 'item', left: who, right: amount, cells: [who, at, amount] },
        { style: 'small', left: at },
      ];
    };
    return [
      { style: 'title', left: settings.practice_name, part: 'practice' },
      { style: 'title', left: t('stock.lots.recallLot', { lot: lot.lot_number }), part: 'title' },
      { style: 'small', left: t('stock.lots.printed', { date: formats.dateTime(Date.now()) }) },
      { style: 'rule' },
      ...inPart('facts', [
        { style: 'pair', left: t('stock.lots.columns.item'), right: lot.name },
        {
          style: 'pair',
          left: t('stock.lots.columns.expires'),
          right: lot.expires_on ? formats.day(lot.expires_on) : t('stock.lots.noExpiry'),
        },
        { style: 'pair', left: t('stock.lots.columns.received'), right: quantity(lot.received) },
        { style: 'pair', left: t('stock.lots.columns.remaining'), right: quantity(lot.remaining) },
      ]),
      { style: 'rule' },
      ...inPart('table', [
        {
          style: 'head',
          cells: [
            `${t('stock.lots.treatment')} · ${t('stock.lots.customer')}`,
            t('stock.lots.usedAt'),
            t('stock.lots.quantity'),
          ],
        },
        ...lot.recipients.flatMap(recipientRows),
      ]),
      { style: 'rule' },
      {
        style: 'pair',
        left: t('stock.lots.recipients', { count: lot.recipients.length }),
        right: quantity(totalUsed(lot)),
      },
    ];
  }

  return (lot) =>
    printContent(
      () => ({
        title: t('stock.lots.recallLot', { lot: lot.lot_number }),
        language: intlTag(i18n.language),
        width: 'A4',
        rows: rowsOf(lot),
        copyWord: null,
        look: settings,
      }),
      t('stock.lots.printFailed'),
    );
}

/** Adds integer thousandths, because decimals do not add up exactly. */
const totalUsed = ({ recipients }: RecalledLot): number =>
  milliToWire(recipients.reduce((sum, { quantity }) => sum + milliFromWire(quantity), 0));
