import { chakra } from '@chakra-ui/react';
import { FileDown, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { businessDay } from '#domain/business-day.ts';
import { useFileExport } from '#src/api/use-file-export.ts';
import { useMinute } from '#src/formats/clock.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { Heading } from './heading.tsx';

const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

/** Exports the records of a range of months. */
export function ExportForm() {
  const { t } = useTranslation();
  const { time_zone: timeZone } = useClinicSettings();
  const thisMonth = businessDay(useMinute(), timeZone).slice(0, 7);
  const [from, setFrom] = useState(`${thisMonth.slice(0, 4)}-01`);
  const [until, setUntil] = useState(thisMonth);
  const { run, running, cancel } = useFileExport();
  const problemOf = (month: string) => (isMonth(month) ? undefined : t('fiscal.export.invalid'));
  const orderProblem = isMonth(from) && isMonth(until) && until < from ? t('fiscal.export.order') : undefined;
  const isReady = isMonth(from) && isMonth(until) && !orderProblem;
  const exportAll = () =>
    void run({
      path: `fiscal/export?from=${from}&until=${until}`,
      name: `fiscal_records_${from}_${until}.zip`,
      done: t('fiscal.export.done'),
      failed: t('fiscal.export.failed'),
    });
  return (
    <section aria-labelledby="fiscal-export">
      <Heading id="fiscal-export">{t('fiscal.export.title')}</Heading>
      <chakra.p color="fg.muted" mt="-2" mb="4" maxWidth="48rem">
        {t('fiscal.export.text')}
      </chakra.p>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 12rem) minmax(0, 12rem) auto' }}
        gap="3"
        justifyContent="start"
        alignItems="start"
      >
        {/* A browser without a picker for months shows a field for text. */}
        <TextField
          type="month"
          label={t('fiscal.export.from')}
          hint={t('fiscal.export.monthHint')}
          error={problemOf(from)}
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          type="month"
          label={t('fiscal.export.until')}
          error={problemOf(until) ?? orderProblem}
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
        <chakra.div pt={{ base: '0', md: '7' }}>
          <Button onClick={running ? cancel : exportAll} disabled={!running && !isReady}>
            {running ? <X /> : <FileDown />}
            {t(running ? 'fiscal.export.cancel' : 'fiscal.export.run')}
          </Button>
        </chakra.div>
      </chakra.div>
    </section>
  );
}
