import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { DocumentPreview } from '#src/printing/document-preview.tsx';
import { openPrintTarget } from '#src/printing/print-target.ts';
import { useDocumentPrinter } from '#src/printing/use-document-printer.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { intlTag } from '#src/ui/intl-tag.ts';
import type { Sale } from '#src/features/counter/sales/sales.ts';

/** Shows a document as it was printed. */
export function DocumentDialog({ sale, name, onClose }: { sale: Sale; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useClinicSettings();
  const print = useDocumentPrinter();
  const { document, isForeign } = sale;
  const hasText = document.printed.length > 0;
  const content = useMemo(
    () => ({
      title: name,
      language: intlTag(document.language),
      width: settings.paper_width,
      rows: document.printed,
      copyWord: t('print.copy'),
      look: settings,
    }),
    [document, name, settings, t],
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      width="44rem"
      actions={
        <>
          <Button onClick={onClose}>{t('patients.close')}</Button>
          {hasText && (
            <Button variant="primary" onClick={() => void print(openPrintTarget(), document, { isCopy: isForeign })}>
              {t('counter.sales.reprint')}
            </Button>
          )}
        </>
      }
    >
      {hasText ? <DocumentPreview content={content} label={name} /> : <p>{t('patients.page.noText')}</p>}
    </Dialog>
  );
}
