import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { ListedCollective } from '#domain/order/collective.ts';
import { callServer } from '#src/api/client.ts';
import { collectivePaths } from '#src/server-data/collective.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
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
  const { invoice_id, invoice_number, due, retention, currency } = invoice;
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  const pay = useServerCall(
    (body: Payment, headers) => callServer('post', `collective-invoices/${invoice_id}/payments`, body, headers),
    {
      refreshes: collectivePaths,
      done: () => t('reports.collective.payment.done', { number: invoice_number }),
      failed: t('reports.collective.payment.failed'),
      keepAs: `payment of ${invoice_id}`,
    },
  );
  async function submit() {
    const reference_number = reference.trim();
    const isDone = await pay.run({ payment_method: method, ...(reference_number && { reference_number }) });
    if (isDone) onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reports.collective.payment.title', { number: invoice_number })}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary" disabled={pay.isRunning}>
            {t('reports.collective.payment.confirm')}
          </Button>
        </>
      }
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
    </Dialog>
  );
}
