import { chakra, Flex } from '@chakra-ui/react';
import { FileDown, FileSpreadsheet, FileText, Table } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportFilters } from '#domain/report/filters.ts';
import type { RemovalFilters } from '#domain/report/removals.ts';
import type { FileProgress } from '#src/api/fetch-file.ts';
import { useFileExport } from '#src/api/use-file-export.ts';
import { useToday } from '#src/formats/clock.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/button.tsx';
import { Dropdown } from '#src/ui/dropdown.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { StyledButton } from '#src/ui/styled.tsx';

const kinds = [
  { kind: 'pdf', ending: 'pdf', icon: FileText },
  { kind: 'excel', ending: 'xlsx', icon: FileSpreadsheet },
  { kind: 'csv', ending: 'csv', icon: Table },
] as const;
type Kind = (typeof kinds)[number];

/** What the names of the files begin with, by report, and the forms in which it exists. */
const reports = {
  sales: { name: 'sales_report', forms: ['pdf', 'excel'] },
  removals: { name: 'removals', forms: ['pdf', 'excel'] },
  book: { name: 'invoice_book', forms: ['excel', 'csv'] },
} as const satisfies Record<string, { name: string; forms: readonly Kind['kind'][] }>;

interface ExportMenuProps {
  report: keyof typeof reports;
  /** Null while a filter is invalid. */
  filters: ReportFilters | RemovalFilters | null;
  /** Disables the export, because the server generates the files. */
  isOffline: boolean;
}

/** Menu of the export formats, with the progress of the running export. */
export function ExportMenu({ report, filters, isOffline }: ExportMenuProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const today = useToday();
  const { run, running, cancel } = useFileExport();
  const forms: readonly Kind['kind'][] = reports[report].forms;
  const offered = kinds.filter(({ kind }) => forms.includes(kind));
  const pathOf = ({ kind }: Kind) => `reports/${report}/export/${kind}` as const;
  const runningKind = kinds.find((each) => pathOf(each) === running?.path)?.kind;
  async function exportAs(chosen: Kind, chosenFilters: ReportFilters | RemovalFilters): Promise<void> {
    const { kind, ending } = chosen;
    const isSaved = await run({
      path: pathOf(chosen),
      json: { ...chosenFilters, language: currentLanguage() },
      name: `${reports[report].name}_${today}.${ending}`,
      done: t(`reports.export.done.${kind}`),
      failed: t(`reports.export.failed.${kind}`),
    });
    if (isSaved) setOpen(false);
  }
  return (
    <Dropdown
      label={t(runningKind ? `reports.export.running.${runningKind}` : 'reports.export.open')}
      icon={running ? <Spinner size={20} /> : <FileDown />}
      open={open}
      onOpenChange={setOpen}
    >
      {offered.map((each) => (
        <StyledButton
          key={each.kind}
          variant="quiet"
          wide
          justifyContent="flex-start"
          disabled={running !== null || filters === null || isOffline}
          onClick={() => filters && void exportAs(each, filters)}
        >
          {runningKind === each.kind ? <Spinner size={20} /> : <each.icon />}
          {t(`reports.export.${each.kind}`)}
        </StyledButton>
      ))}
      {(isOffline || filters === null) && (
        <chakra.p px="4" py="2" maxWidth="18rem" fontSize="sm" color="fg.muted">
          {t(isOffline ? 'reports.export.away' : 'reports.export.unsound')}
        </chakra.p>
      )}
      {running && (
        <Flex
          align="center"
          justify="space-between"
          gap="3"
          ps="4"
          mt="1"
          borderTopWidth="1px"
          borderColor="border"
          pt="1"
        >
          <Progress progress={running.progress} />
          <Button variant="quiet" onClick={cancel}>
            {t('form.cancel')}
          </Button>
        </Flex>
      )}
    </Dropdown>
  );
}

function Progress({ progress }: { progress: FileProgress | null }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  return (
    <chakra.output fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
      {!progress
        ? t('reports.export.preparing')
        : progress.rows === null
          ? t('reports.export.received', { size: formats.kilobytes(progress.bytes) })
          : t('reports.export.progress', {
              count: progress.rows,
              rows: formats.quantity(progress.rows),
              size: formats.kilobytes(progress.bytes),
            })}
    </chakra.output>
  );
}
