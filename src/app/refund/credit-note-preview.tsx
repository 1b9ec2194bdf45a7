import { useLiveQuery } from 'dexie-react-hooks';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../domain/order/numbers.ts';
import { creditNoteRows } from '../../../domain/order/paper.ts';
import type { OrderRow } from '../../db/database.ts';
import { PaperPreview } from '../../parts/paper/paper-preview.tsx';
import type { ChosenRefund } from '../../parts/refund/refund-form.tsx';
import { intlTag } from '../../ui/intl-tag.ts';
import { db } from '../database.ts';
import { useClinicSettings } from '../use-clinic-settings.ts';
import { usePrintingContext } from '../use-printing-context.ts';

/** The credit note as it would be printed now, under the number that this device gives next. */
export function CreditNotePreview({ order, refund: { amountMinor, method, reason } }: { order: OrderRow; refund: ChosenRefund }) {
  const { t } = useTranslation();
  const settings = useClinicSettings();
  const printing = usePrintingContext();
  const device = useLiveQuery(() => db.device.get('this'), []);
  const content = useMemo(() => {
    const { print } = printing();
    const number = device ? formatNumber('credit_note', device.code, device.counters.credit_note + 1) : '';
    const note = { number, issuedAtMs: Date.now(), order, amountMinor, method, reason, lines: [] };
    return {
      title: number,
      language: intlTag(print.language),
      width: settings.paper_width,
      rows: creditNoteRows({ settings, ...print }, note),
      copyWord: null,
    };
  }, [printing, device, order, amountMinor, method, reason, settings]);
  return <PaperPreview content={content} label={t('refund.preview')} />;
}
