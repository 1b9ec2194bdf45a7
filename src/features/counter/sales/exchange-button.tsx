import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decideExchange } from '#domain/order/decisions.ts';
import { exchangeForFull } from '#src/db/commands/invoices.ts';
import { StyledButton } from '#src/ui/styled.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { useMustNotInvoice } from '#src/invoice/use-must-not-invoice.ts';
import { useIssueInvoice } from '#src/invoice/use-issue-invoice.ts';
import type { Sale } from './sales.ts';

const RecipientDialog = loadLater(async () => (await import('#src/invoice/recipient-dialog.tsx')).RecipientDialog);

/** Exchanges a simplified invoice for a full one; nothing for any other document. */
export function ExchangeButton({ sale: { document, order } }: { sale: Sale }) {
  const { t } = useTranslation();
  const issue = useIssueInvoice();
  const [isAsking, setAsking] = useState(false);
  const isWaiting = useMustNotInvoice();
  const { number } = document;
  if (number === null || isWaiting || !decideExchange(order, number).ok) return null;
  return (
    <>
      <StyledButton
        variant="quiet"
        px="2"
        fontSize="sm"
        aria-label={t('tax.exchangeFor', { number })}
        onClick={() => setAsking(true)}
      >
        {t('tax.exchange')}
      </StyledButton>
      {isAsking && (
        <Suspense fallback={null}>
          <RecipientDialog
            order={order}
            isAboveLimit={false}
            onConfirm={(recipient) => {
              setAsking(false);
              void issue((context) => exchangeForFull(context, { orderId: order.id, number, recipient }));
            }}
            onLater={null}
            onCancel={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}
