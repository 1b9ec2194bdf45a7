import { chakra } from '@chakra-ui/react';
import { Download, Upload, X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileExport } from '#src/api/use-file-export.ts';
import { Button } from '#src/ui/button.tsx';
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
      <ToolButton
        label={t(running ? 'spreadsheet.cancelExport' : 'spreadsheet.export')}
        icon={running ? <X /> : <Download />}
        onClick={running ? cancel : exportAll}
      />
      <ToolButton label={t('spreadsheet.import')} icon={<Upload />} onClick={() => setImporting(true)} />
      {isImporting && <ImportDialog noun={noun} onClose={() => setImporting(false)} />}
    </>
  );
}

/** A button of a toolbar, with its word where there is room. */
function ToolButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Button aria-label={label} title={label} onClick={onClick}>
      {icon}
      <chakra.span hideBelow="xl">{label}</chakra.span>
    </Button>
  );
}
