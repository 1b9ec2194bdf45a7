import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { collectiveSeen } from '#domain/order/collective.ts';
import type { ListedCollective } from '#domain/order/collective.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { collectivePaths } from '#src/server-data/collective.ts';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';

const methods = ['insurance', 'others', 'card'] as const;
type Method = (typeof methods)[number];

interface Payment {
  payment_method: Method;
  reference_number?: string;
}

/** Takes the payer's money for all treatments of an invoice. */
export function PaymentDialog({ invoice, onClose }: { invoice: ListedCollective; onClose: () => void }) {
  const { t } = useTranslation();
  const [method, setMethod] = useState<Method>('insurance');
  const [reference, setReference] = useState('');
  const { invoice_number, currency } = invoice;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const pay = useDecision<ListedCollective, Payment>(invoice, {
    fields: collectiveSeen,
    words: { due: { label: t('reports.collective.due'), text: (due: number) => money(minorFromWire(due)) } },
    call: (body, headers, { invoice_id }) =>
      callServer('post', `collective-invoices/${invoice_id}/payments`, body, headers),
    refreshes: collectivePaths,
    done: () => t('reports.collective.payment.done', { number: invoice_number }),
    failed: t('reports.collective.payment.failed'),
    keepAs: `payment of ${invoice.invoice_id}`,
  });
  const { due, retention } = pay.shown;
  async function submit() {
    const reference_number = reference.trim();
    const isDone = await pay.run({ payment_method: method, ...(reference_number && { reference_number }) });
    if (isDone) onClose();
  }
  return (
    <DecisionDialog
      decision={pay}
      title={t('reports.collective.payment.title', { number: invoice_number })}
      width="26rem"
      confirmLabel={t('reports.collective.payment.confirm')}
      isPossible={due > 0}
      onClose={onClose}
      onConfirm={() => void submit()}
    >
      <chakra.p color="fg.muted">
        {t('reports.collective.payment.text', { amount: money(minorFromWire(due)) })}
      </chakra.p>
      {retention && (
        <chakra.p color="fg.muted">
          {t('reports.collective.payment.withheld', { amount: money(minorFromWire(retention.amount)) })}
        </chakra.p>
      )}
      <SelectField
        label={t('reports.collective.payment.method')}
        options={methods.map((value) => ({ value, label: t(`counter.methods.${value}`) }))}
        value={method}
        onChange={({ target }) => setMethod(target.value as Method)}
      />
      <TextField
        label={t('reports.collective.payment.reference')}
        maxLength={100}
        autoComplete="off"
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
    </DecisionDialog>
  );
}
