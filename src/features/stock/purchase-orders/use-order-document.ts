import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { printContent } from '#src/printing/print-content.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { intlTag } from '#src/ui/intl-tag.ts';
import { toast } from '#src/ui/toaster.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { orderRows, plainText } from './order-document.ts';

/** Prints a purchase order for its vendor, or copies it as text for a message. */
export function useOrderDocument(order: PurchaseOrderResource) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const settings = useClinicSettings();
  const rows = (): PrintedRow[] =>
    orderRows(order, settings, {
      title: t('purchasing.paper.order'),
      order: t('purchasing.columns.number'),
      date: t('purchasing.paper.date'),
      vendor: t('purchasing.fields.vendor'),
      contact: t('purchasing.fields.contact'),
      each: (cost) => t('purchasing.paper.each', { cost }),
      total: t('purchasing.columns.total'),
      notes: t('purchasing.fields.notes'),
      columns: {
        item: t('purchasing.columns.item'),
        quantity: t('purchasing.columns.ordered'),
        cost: t('purchasing.columns.unitCost'),
        amount: t('purchasing.columns.total'),
      },
      amount: (minor) => formatMinor(minor, currencyLabel(settings.currency)),
      day: formats.date,
      quantity: (quantity, unit) => `${formats.quantity(quantity)} ${unitName(unit)}`,
    });
  return {
    copy: async () => {
      try {
        await navigator.clipboard.writeText(plainText(rows()));
        toast({ tone: 'success', title: t('purchasing.copied') });
      } catch {
        // The browser denies the clipboard to insecure pages and when the user has refused permission.
        toast({ tone: 'error', title: t('purchasing.copyFailed') });
      }
    },
    print: () =>
      printContent(
        () => ({
          title: order.po_number,
          language: intlTag(currentLanguage()),
          width: 'A4',
          rows: rows(),
          copyWord: null,
          look: settings,
        }),
        t('purchasing.printFailed'),
      ),
  };
}
