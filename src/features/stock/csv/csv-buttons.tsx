import { FileDown, FileUp, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileExport } from '../../../api/use-file-export.ts';
import { Button } from '../../../ui/button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import type { CsvResource } from './use-import.ts';

/** Buttons that export stock items or products as CSV, and import such a file. */
export function CsvButtons({ noun }: { noun: CsvResource }) {
  const { t } = useTranslation();
  const [isImporting, setImporting] = useState(false);
  const { run, running, cancel } = useFileExport();
  const exportAll = () =>
    void run({
      path: `${noun}/export.csv`,
      name: `${noun}.csv`,
      done: t('spreadsheet.exported'),
      failed: t('spreadsheet.exportFailed'),
    });
  return (
    <>
      <Button onClick={running ? cancel : exportAll}>
        {running ? <X /> : <FileDown />}
        {t(running ? 'spreadsheet.cancelExport' : 'spreadsheet.export')}
      </Button>
      <Button onClick={() => setImporting(true)}>
        <FileUp />
        {t('spreadsheet.import')}
      </Button>
      {isImporting && <ImportDialog noun={noun} onClose={() => setImporting(false)} />}
    </>
  );
}
