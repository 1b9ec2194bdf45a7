import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportFilters } from '../../../../domain/report/filters.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { CallFailed, faultText } from '../../../api/call-failed.ts';
import { fetchFile } from '../../../api/server-file.ts';
import type { FileProgress } from '../../../api/server-file.ts';
import { useToday } from '../../../formats/use-today.ts';
import { download } from '../../../ui/download.ts';
import { toast } from '../../../ui/toaster.tsx';

export type ExportKind = 'pdf' | 'excel';

const endings = { pdf: 'pdf', excel: 'xlsx' } as const;

export interface RunningExport {
  kind: ExportKind;
  /** Null until the server has begun to answer. */
  progress: FileProgress | null;
}

/** Has the server make a file of what the filters find, one at a time. */
export function useExport(onDone: () => void) {
  const { t } = useTranslation();
  const today = useToday();
  const [running, setRunning] = useState<RunningExport | null>(null);
  const abort = useRef<AbortController>(undefined);
  async function run(kind: ExportKind, filters: ReportFilters): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    setRunning({ kind, progress: null });
    try {
      const onProgress = (progress: FileProgress) => setRunning({ kind, progress });
      const { content, name } = await fetchFile(`reports/sales/export/${kind}`, {
        json: { ...filters, language: currentLanguage() },
        signal: controller.signal,
        onProgress,
      });
      download(content, name || `sales_report_${today}.${endings[kind]}`);
      toast({ tone: 'success', title: t(`reports.export.done.${kind}`) });
      onDone();
    } catch (thrown) {
      if (!controller.signal.aborted) {
        toast({
          tone: 'error',
          title: t(`reports.export.failed.${kind}`),
          text: thrown instanceof CallFailed ? faultText(t, thrown.fault) : t('errors.UNEXPECTED'),
        });
      }
    }
    setRunning(null);
  }
  return { run, running, cancel: () => abort.current?.abort() };
}
