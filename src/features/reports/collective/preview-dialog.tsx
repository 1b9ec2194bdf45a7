import { chakra } from '@chakra-ui/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CollectiveInvoice } from '#domain/order/collective.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { callServer } from '#src/api/client.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { DocumentPreview } from '#src/printing/document-preview.tsx';
import { collectivePaths } from '#src/server-data/collective.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { contentOf } from './content.ts';

/** What is asked for: the same for the preview and for the invoice. */
export interface CollectiveRequest {
  order_ids: string[];
  recipient: Recipient;
  retention_percentage?: number;
}

interface PreviewDialogProps {
  request: CollectiveRequest;
  document: CollectiveInvoice;
  onIssued: () => void;
  onClose: () => void;
}

/** Shows the invoice, and issues it as it is shown. */
export function PreviewDialog({ request, document, onIssued, onClose }: PreviewDialogProps) {
  const { t } = useTranslation();
  const settings = useClinicSettings();
  const content = useMemo(
    () => contentOf(document, settings, t('reports.collective.preview')),
    [document, settings, t],
  );
  const issue = useServerCall(
    (body: CollectiveRequest & { total_amount: number }, headers) =>
      callServer<{ data: CollectiveInvoice }>('post', 'collective-invoices', body, headers),
    {
      refreshes: collectivePaths,
      done: (_body, { data }) => t('reports.collective.issued', { number: data.invoice_number }),
      failed: t('reports.collective.failed'),
      keepAs: 'collective invoice',
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reports.collective.preview')}
      width="52rem"
      note={
        <chakra.p fontSize="sm" color="fg.muted">
          {t('reports.collective.final')}
        </chakra.p>
      }
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button
            variant="primary"
            disabled={issue.isRunning}
            onClick={() =>
              void issue.run({ ...request, total_amount: document.total_amount }).then((isDone) => isDone && onIssued())
            }
          >
            {t('reports.collective.issue')}
          </Button>
        </>
      }
    >
      <DocumentPreview content={content} label={t('reports.collective.preview')} />
    </Dialog>
  );
}
