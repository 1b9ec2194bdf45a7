import { useLiveQuery } from '../local-data/live.ts';
import { useState } from 'react';
import { issuingSettings } from '#domain/fiscal/taxpayer.ts';
import { issueCreditNote } from '#domain/order/issue-documents.ts';
import { creditNoteSeries } from '#domain/order/issue-tax.ts';
import { formatNumber } from '#domain/order/numbers.ts';
import { refundTerms } from '#domain/order/refund-terms.ts';
import type { OrderRow } from '../db/database.ts';
import type { PrintContent } from '../printing/document-element.ts';
import type { ChosenRefund } from './refund-form.tsx';
import { intlTag } from '../ui/intl-tag.ts';
import { db } from '../local-data/database.ts';
import { useClinicSettings } from '../local-data/use-clinic-settings.ts';
import { usePrintingContext } from '../printing/use-printing-context.ts';

/** Returns a preview of the credit note, with the next number of this device. */
export function useCreditNotePreview(): (order: OrderRow, refund: ChosenRefund) => PrintContent {
  const clinic = useClinicSettings();
  const printing = usePrintingContext();
  const device = useLiveQuery(() => db.device.get('this'), []);
  const settings = issuingSettings(clinic, device?.tax_id);
  const [issuedAtMs] = useState(() => Date.now());
  return (order, { method, reason, ...wish }) => {
    const { print } = printing();
    const { amountMinor } = wish;
    const terms = refundTerms(order, wish);
    const of = creditNoteSeries(order, { amountMinor, ...terms });
    const number = device ? formatNumber(of, device.code, (device.counters[of] ?? 0) + 1) : '';
    const { printed: rows } = issueCreditNote(
      { settings, ...print },
      { number, issuedAtMs, order, amountMinor, method, reason, terms },
    );
    return {
      title: number,
      language: intlTag(print.language),
      width: settings.paper_width,
      rows,
      copyWord: null,
      look: settings,
    };
  };
}
