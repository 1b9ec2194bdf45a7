import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { issueInvoice } from '#domain/order/issue-documents.ts';
import type { Order, Payment } from '#domain/order/order.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { usePrintingContext } from '#src/printing/use-printing-context.ts';
import type { PrintContent } from '#src/printing/document-element.ts';
import { intlTag } from '#src/ui/intl-tag.ts';

const noon = Date.UTC(2026, 0, 15, 11);

/** Returns a function that issues the invoice of an invented treatment, with the code that issues real invoices. */
export function useSampleInvoice(): (settings: ClinicSettings) => PrintContent {
  const { t } = useTranslation();
  const printing = usePrintingContext();
  return useCallback(
    (settings) => {
      const { print } = printing();
      const names = t('settings.sample.services', { returnObjects: true });
      const order = sampleOrder(settings, names, t('settings.sample.customer'));
      const payment: Payment = { ...samplePayment, amountMinor: 14_500, tenderedMinor: 15_000, changeMinor: 500 };
      const invoice = issueInvoice(
        { settings, ...print },
        { invoiceId: 'sample', number: 'INV-A1-000123', issuedAtMs: noon, order, lines: order.lines, payment },
      );
      return {
        title: invoice.invoice_number,
        language: intlTag(print.language),
        width: settings.paper_width,
        rows: invoice.printed,
        copyWord: t('settings.sample.word'),
        look: settings,
      };
    },
    [t, printing],
  );
}

const samplePayment: Omit<Payment, 'amountMinor' | 'tenderedMinor' | 'changeMinor'> = {
  paymentId: 'sample',
  opId: 'sample',
  method: 'cash',
  reference: '',
  creditNoteNumber: null,
  creditNote: null,
  reason: '',
  refundedLines: [],
  allowances: [],
  reductionMinor: 0,
  isStillOwed: false,
  actorId: 0,
  deviceId: 0,
  atMs: noon,
};

function sampleOrder(
  { currency }: ClinicSettings,
  names: { cleaning: string; consultation: string; xray: string },
  customerName: string,
): Order {
  const line = (name: string, quantityMilli: number, unitPriceMinor: number) => ({
    lineId: name,
    stockId: 1,
    productId: null,
    name,
    quantityMilli,
    unitPriceMinor,
    notes: '',
    opId: 'sample',
    position: 0,
    replaces: null,
  });
  return {
    id: 'sample',
    opId: 'sample',
    number: 'T-A1-000123',
    type: 'walk_in',
    customerName,
    patientId: null,
    roomId: null,
    roomNumber: '',
    notes: '',
    currency,
    discountMinor: 0,
    agreedDiscountMinor: 0,
    discountReason: '',
    chargeMinor: 0,
    createdAtMs: noon,
    createdBy: 0,
    deviceId: 0,
    lines: [line(names.cleaning, 1000, 6000), line(names.consultation, 1000, 4900), line(names.xray, 2000, 1800)],
    payments: [],
    removedLines: [],
    cancels: [],
    changes: [],
    addedNotes: [],
    invoices: [],
  };
}
