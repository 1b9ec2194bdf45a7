import { chakra, Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { faultText } from '#src/api/client.ts';
import { useStoredFile } from '#src/api/use-stored-file.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { download } from '#src/ui/download.ts';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** Shows a receipt that is an image, and offers any receipt as a download. */
export function ReceiptDialog({ expense, onClose }: { expense: ExpenseResource | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { content, address, fault } = useStoredFile(expense?.receipt_url ?? null);
  const isPicture = content?.type.startsWith('image/') ?? false;
  return (
    <Dialog
      open={expense !== null}
      onClose={onClose}
      title={t('expenses.receipt.title', { title: expense?.title ?? '' })}
      width="40rem"
      actions={
        <>
          <Button onClick={onClose}>{t('expenses.receipt.close')}</Button>
          <Button
            variant="primary"
            disabled={!content}
            onClick={() => content && download(content, `receipt-${expense?.id}.${isPicture ? 'jpg' : 'pdf'}`)}
          >
            <Download />
            {t('expenses.receipt.download')}
          </Button>
        </>
      }
    >
      {fault && (
        <Banner tone="refused" title={t('expenses.receipt.failed')}>
          {faultText(t, fault)}
        </Banner>
      )}
      {!content && !fault && <Skeleton height="64" aria-label={t('expenses.receipt.loading')} />}
      {content && !isPicture && <chakra.p color="fg.muted">{t('expenses.receipt.pdf')}</chakra.p>}
      {isPicture && (
        <Flex justify="center" bg="bg.sunken" borderRadius="md" overflow="auto">
          <chakra.img src={address} alt={t('expenses.receipt.alt')} maxWidth="full" />
        </Flex>
      )}
    </Dialog>
  );
}
