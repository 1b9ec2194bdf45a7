import { chakra, Flex } from '@chakra-ui/react';
import { FileDown, FileSpreadsheet, FileText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportFilters } from '../../../../domain/report/filters.ts';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Dropdown } from '../../../ui/dropdown.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useExport } from './use-export.ts';
import type { RunningExport } from './use-export.ts';

const kinds = [
  { kind: 'pdf', icon: FileText },
  { kind: 'excel', icon: FileSpreadsheet },
] as const;

interface ExportMenuProps {
  /** Null while something is wrong with them. */
  filters: ReportFilters | null;
  /** The server makes the files: without it there are none. */
  isAway: boolean;
}

/** The files that a report can be taken out as, and how far the one that is being made has come. */
export function ExportMenu({ filters, isAway }: ExportMenuProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { run, running, cancel } = useExport(() => setOpen(false));
  return (
    <Dropdown
      label={running ? t(`reports.export.running.${running.kind}`) : t('reports.export.open')}
      icon={running ? <Spinner size={20} /> : <FileDown />}
      open={open}
      onOpenChange={setOpen}
    >
      {kinds.map(({ kind, icon: Icon }) => (
        <Button
          key={kind}
          variant="quiet"
          wide
          justifyContent="flex-start"
          disabled={running !== null || filters === null || isAway}
          onClick={() => filters && void run(kind, filters)}
        >
          {running?.kind === kind ? <Spinner size={20} /> : <Icon />}
          {t(`reports.export.${kind}`)}
        </Button>
      ))}
      {filters === null && (
        <chakra.p px="4" py="2" fontSize="sm" color="fg.muted">
          {t('reports.export.unsound')}
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
          <Progress running={running} />
          <Button variant="quiet" onClick={cancel}>
            {t('form.cancel')}
          </Button>
        </Flex>
      )}
    </Dropdown>
  );
}

function Progress({ running: { progress } }: { running: RunningExport }) {
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
