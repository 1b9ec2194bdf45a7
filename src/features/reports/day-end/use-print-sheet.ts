import { useTranslation } from 'react-i18next';
import type { PrintedRow } from '../../../../domain/printed-row.ts';
import { useClinicSettings } from '../../../local-data/use-clinic-settings.ts';
import { openPrintTarget } from '../../../printing/print-target.ts';
import { intlTag } from '../../../ui/intl-tag.ts';
import { toast } from '../../../ui/toaster.tsx';
import type { Sheet, SheetSection } from './use-day-end-summary.ts';

const rule: PrintedRow = { style: 'rule' };

function sectionRows({ title, rows, nothing }: SheetSection): PrintedRow[] {
  const printed = rows.flatMap(({ name, note, value, isSum }): PrintedRow[] => [
    { style: isSum ? 'total' : 'item', left: name, right: value },
    ...(note ? [{ style: 'small' as const, left: note }] : []),
  ]);
  return [
    rule,
    { style: 'text', left: title },
    ...(rows.length > 0 ? printed : [{ style: 'small' as const, left: nothing }]),
  ];
}

/** Prints the sheet on the clinic's own paper; call it within the tap. */
export function usePrintSheet(): (sheet: Sheet) => void {
  const { t, i18n } = useTranslation();
  const { practice_name, paper_width } = useClinicSettings();
  return (sheet) => {
    const target = openPrintTarget();
    const head: PrintedRow[] = [
      { style: 'title', left: practice_name },
      { style: 'title', left: sheet.title },
      { style: 'small', left: sheet.state },
    ];
    const rows = [...head, ...sheet.sections.flatMap(sectionRows)];
    target
      .print({ title: sheet.title, language: intlTag(i18n.language), width: paper_width, rows, copyWord: null })
      .catch(() => {
        target.discard();
        toast({ tone: 'error', title: t('dayEnd.printFailed') });
      });
  };
}
