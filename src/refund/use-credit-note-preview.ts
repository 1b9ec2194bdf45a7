import { useLiveQuery } from 'dexie-react-hooks';
import { useState } from 'react';
import { issuingSettings } from '../../domain/fiscal/taxpayer.ts';
import { creditNoteSeries, creditNoteTax } from '../../domain/order/issue-tax.ts';
import { formatNumber } from '../../domain/order/numbers.ts';
import { creditNoteRows } from '../../domain/order/printed-document.ts';
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
  return (order, { amountMinor, method, reason, lineIds = [] }) => {
    const { print } = printing();
    const of = creditNoteSeries(order, lineIds);
    const number = device ? formatNumber(of, device.code, (device.counters[of] ?? 0) + 1) : '';
    const rows = creditNoteRows(
      { settings, ...print },
      {
        tax: creditNoteTax(settings, { order, amountMinor, lineIds }),
        number,
        issuedAtMs,
        order,
        amountMinor,
        method,
        reason,
        lines: order.lines.filter(({ lineId }) => lineIds.includes(lineId)),
      },
    );
    return { title: number, language: intlTag(print.language), width: settings.paper_width, rows, copyWord: null };
  };
}
