import { FileDown, FileUp, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallFailed, faultText, fetchFile } from '../../../app/server-data.ts';
import { Button } from '../../../ui/button.tsx';
import { download } from '../../../ui/download.ts';
import { toast } from '../../../ui/toaster.tsx';
import { ImportDialog } from './import-dialog.tsx';
import type { TableNoun } from './use-import.ts';

/** Takes stock items or services out as a table for a spreadsheet, and brings such a table in. */
export function SpreadsheetButtons({ noun }: { noun: TableNoun }) {
  const { t } = useTranslation();
  const [isImporting, setImporting] = useState(false);
  const exporting = useExport(noun);
  return (
    <>
      <Button onClick={exporting.isRunning ? exporting.cancel : () => void exporting.run()}>
        {exporting.isRunning ? <X /> : <FileDown />}
        {t(exporting.isRunning ? 'spreadsheet.cancelExport' : 'spreadsheet.export')}
      </Button>
      <Button onClick={() => setImporting(true)}>
        <FileUp />
        {t('spreadsheet.import')}
      </Button>
      {isImporting && <ImportDialog noun={noun} onClose={() => setImporting(false)} />}
    </>
  );
}

function useExport(noun: TableNoun) {
  const { t } = useTranslation();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  async function run() {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    try {
      const { content } = await fetchFile(`${noun}/export.csv`, { signal: controller.signal });
      download(content, `${noun}.csv`);
      toast({ tone: 'success', title: t('spreadsheet.exported') });
    } catch (thrown) {
      if (!controller.signal.aborted) {
        toast({ tone: 'error', title: t('spreadsheet.exportFailed'), text: thrown instanceof CallFailed ? faultText(t, thrown.fault) : t('errors.UNEXPECTED') });
      }
    }
    setRunning(false);
  }
  return { run, isRunning, cancel: () => running.current?.abort() };
}
