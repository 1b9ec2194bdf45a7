import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { FileDrop } from './file-drop.tsx';
import { ImportCounts, ImportPreviewDetails } from './import-preview.tsx';
import { useImport } from './use-import.ts';
import type { ImportStep, CsvResource } from './use-import.ts';

/** Imports a CSV file in three steps: choose the file, preview its changes, confirm. */
export function ImportDialog({ noun, onClose }: { noun: CsvResource; onClose: () => void }) {
  const { t } = useTranslation();
  const { step, openFile, startOver, confirm, isWriting } = useImport(noun);
  return (
    <Dialog
      open
      width="40rem"
      title={t(`spreadsheet.importTitle.${noun}`)}
      // Stays open while the import is running.
      onClose={() => !isWriting && onClose()}
      actions={
        <Actions
          step={step}
          isWriting={isWriting}
          onClose={onClose}
          onAnother={startOver}
          onConfirm={(csv) => void confirm(csv)}
        />
      }
    >
      {step.name === 'choose' && (
        <>
          {step.fault && <Banner tone="refused" title={step.fault} />}
          <FileDrop onFile={(file) => void openFile(file)} />
          <chakra.p fontSize="sm" color="fg.muted">
            {t('spreadsheet.hint')}
          </chakra.p>
        </>
      )}
      {step.name === 'reading' && (
        <chakra.output display="flex" alignItems="center" gap="3" minHeight="24" color="fg.muted">
          <Spinner />
          <chakra.span overflowWrap="anywhere">{t('spreadsheet.reading', { file: step.file })}</chakra.span>
        </chakra.output>
      )}
      {step.name === 'preview' && (
        <>
          <chakra.p color="fg.muted" overflowWrap="anywhere">
            {t('spreadsheet.preview', { count: step.preview.rows, file: step.file })}
          </chakra.p>
          <ImportPreviewDetails preview={step.preview} />
        </>
      )}
      {step.name === 'done' && (
        <>
          <Banner tone="paid" title={t('spreadsheet.done')} />
          <ImportCounts preview={step.preview} />
        </>
      )}
    </Dialog>
  );
}

interface ActionsProps {
  step: ImportStep;
  isWriting: boolean;
  onClose: () => void;
  onAnother: () => void;
  onConfirm: (csv: string) => void;
}

function Actions({ step, isWriting, onClose, onAnother, onConfirm }: ActionsProps) {
  const { t } = useTranslation();
  if (step.name === 'done') {
    return (
      <Button variant="primary" onClick={onClose}>
        {t('form.close')}
      </Button>
    );
  }
  const writes = step.name === 'preview' && step.preview.errorCount === 0 ? step.preview.new + step.preview.changed : 0;
  return (
    <>
      <Button disabled={isWriting} onClick={onClose}>
        {t('form.cancel')}
      </Button>
      {step.name === 'preview' && (
        <Button disabled={isWriting} onClick={onAnother}>
          {t('form.file.replace')}
        </Button>
      )}
      {step.name === 'preview' && writes > 0 && (
        <Button variant="primary" disabled={isWriting} onClick={() => onConfirm(step.csv)}>
          {isWriting ? t('spreadsheet.importing') : t('spreadsheet.confirm', { count: writes })}
        </Button>
      )}
    </>
  );
}
