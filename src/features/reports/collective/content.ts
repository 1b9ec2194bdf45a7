import type { CollectiveInvoice } from '#domain/order/collective.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { PrintContent } from '#src/printing/document-element.ts';
import { intlTag } from '#src/ui/intl-tag.ts';

/** Returns a collective invoice on a sheet: a payer files it, whatever roll the counter prints on. */
export const contentOf = (
  { printed, invoice_number, language }: CollectiveInvoice,
  look: ClinicSettings,
  title: string,
): PrintContent => ({
  title: invoice_number === '' ? title : invoice_number,
  language: intlTag(language),
  width: 'A4',
  rows: printed,
  copyWord: null,
  look,
});
