import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { ImportPreview } from '../../../../domain/stock/resources.ts';
import type { CallFault } from '../../../api/client.ts';
import { CallFailed, callServer, faultText } from '../../../api/client.ts';
import { useServerCall } from '../../../server-data/use-server-call.ts';
import { readCsvFile } from './read-csv-file.ts';

/** What can be brought in, as the addresses of the server call it. */
export type CsvResource = 'stock' | 'products';

/**
 * The way of a table into the clinic. Nothing is written before `confirm`.
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
  /** Counts the choices, so that the answer about a file that was given up is not shown. */
  const choice = useRef(0);

  async function look(file: File) {
    choice.current += 1;
    const mine = choice.current;
    setStep({ name: 'reading', file: file.name });
    const next = await previewOf(file).catch((thrown: unknown): ImportStep => ({
      name: 'choose',
      fault: importFault(t, faultIn(thrown)),
    }));
    if (choice.current === mine) setStep(next);
  }
  async function previewOf(file: File): Promise<ImportStep> {
    const table = await readCsvFile(file);
    if ('fault' in table) return { name: 'choose', fault: t(`spreadsheet.faults.${table.fault}`) };
    const { data } = await callServer<{ data: ImportPreview }>('post', `${noun}/import`, { csv: table.text });
    return { name: 'preview', file: file.name, csv: table.text, preview: data };
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
    { refreshes: ['stock', 'products', 'categories'], failed: t('spreadsheet.failed') },
  );
  function startOver() {
    choice.current += 1;
    setStep({ name: 'choose' });
  }
  return { step, look, startOver, confirm: writing.run, isWriting: writing.isRunning };
}

const faultIn = (thrown: unknown): CallFault =>
  thrown instanceof CallFailed ? thrown.fault : { code: 'UNEXPECTED', message: '' };

/** What is wrong with a table as a whole, with the column or line that it is about. */
function importFault(t: TFunction, fault: CallFault): string {
  const { column, line } = (fault.details ?? {}) as { column?: string; line?: number };
  if (fault.code === 'CSV_COLUMN_UNKNOWN') return t('spreadsheet.faults.columnUnknown', { column });
  if (fault.code === 'CSV_COLUMN_MISSING') return t('spreadsheet.faults.columnMissing', { column });
  if (fault.code === 'CSV_UNREADABLE' && line !== undefined) return t('spreadsheet.faults.unreadableLine', { line });
  return faultText(t, fault);
}
