import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { ImportPreview } from '#domain/stock/resources.ts';
import type { CallFault } from '#src/api/client.ts';
import { CallFailed, callServer, faultText } from '#src/api/client.ts';
import { cataloguePaths } from '#src/server-data/catalogue.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { readCsvFile } from './read-csv-file.ts';

/** Resources that can be imported; each is also a path of the API. */
export type CsvResource = 'stock' | 'products';

/**
 * Steps of an import. Nothing is written before `confirm`.
 *
 *     choose ──▶ reading ──▶ preview ──confirm──▶ done
 *       ▲           │           │
 *       └───fault───┴──another──┘
 */
export type ImportStep =
  | { name: 'choose'; fault?: string }
  | { name: 'reading'; file: string }
  | { name: 'preview'; file: string; csv: string; preview: ImportPreview }
  | { name: 'done'; preview: ImportPreview };

export function useImport(noun: CsvResource) {
  const { t } = useTranslation();
  const [step, setStep] = useState<ImportStep>({ name: 'choose' });
  /** Number of the latest file, so that a late reply about an earlier one is ignored. */
  const latestFile = useRef(0);

  async function openFile(file: File) {
    latestFile.current += 1;
    const current = latestFile.current;
    setStep({ name: 'reading', file: file.name });
    const next = await previewOf(file).catch((thrown: unknown): ImportStep => ({
      name: 'choose',
      fault: importFault(t, faultIn(thrown)),
    }));
    if (latestFile.current === current) setStep(next);
  }
  async function previewOf(file: File): Promise<ImportStep> {
    const csv = await readCsvFile(file);
    if ('fault' in csv) return { name: 'choose', fault: t(`spreadsheet.faults.${csv.fault}`) };
    const { data } = await callServer<{ data: ImportPreview }>('post', `${noun}/import`, { csv: csv.text });
    return { name: 'preview', file: file.name, csv: csv.text, preview: data };
  }
  const writing = useServerCall(
    async (csv: string, headers) => {
      const { data } = await callServer<{ data: ImportPreview }>(
        'post',
        `${noun}/import`,
        { csv, confirm: true },
        headers,
      );
      setStep({ name: 'done', preview: data });
    },
    { refreshes: cataloguePaths, failed: t('spreadsheet.failed') },
  );
  function startOver() {
    latestFile.current += 1;
    setStep({ name: 'choose' });
  }
  return { step, openFile, startOver, confirm: writing.run, isWriting: writing.isRunning };
}

const faultIn = (thrown: unknown): CallFault =>
  thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };

/** Returns the message of a fault in the whole file, with the affected column or line. */
function importFault(t: TFunction, fault: CallFault): string {
  const { column, line } = (fault.details ?? {}) as { column?: string; line?: number };
  if (fault.code === 'CSV_COLUMN_UNKNOWN') return t('spreadsheet.faults.columnUnknown', { column });
  if (fault.code === 'CSV_COLUMN_MISSING') return t('spreadsheet.faults.columnMissing', { column });
  if (fault.code === 'CSV_UNREADABLE' && line !== undefined) return t('spreadsheet.faults.unreadableLine', { line });
  return faultText(t, fault);
}
