import { chakra } from '@chakra-ui/react';
import { FileDown, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileExport } from '#src/api/use-file-export.ts';
import { MonthField, useThisMonth } from '#src/forms/month-field.tsx';
import { Button } from '#src/ui/button.tsx';

/** Exports the records of a range of months. */
export function ExportForm() {
  const { t } = useTranslation();
  const thisMonth = useThisMonth();
  const [from, setFrom] = useState(`${thisMonth.slice(0, 4)}-01`);
  const [until, setUntil] = useState(thisMonth);
  const { run, running, cancel } = useFileExport();
  const orderProblem = until < from ? t('fiscal.export.order') : undefined;
  const exportAll = () =>
    void run({
      path: `fiscal/export?from=${from}&until=${until}`,
      name: `fiscal_records_${from}_${until}.zip`,
      done: t('fiscal.export.done'),
      failed: t('fiscal.export.failed'),
    });
  return (
    <section aria-labelledby="fiscal-export">
      <chakra.h2 id="fiscal-export" fontWeight="semibold" mb="3">
        {t('fiscal.export.title')}
      </chakra.h2>
      <chakra.p color="fg.muted" mt="-2" mb="4" maxWidth="48rem">
        {t('fiscal.export.text')}
      </chakra.p>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 15rem) minmax(0, 15rem) auto' }}
        gap="3"
        justifyContent="start"
        alignItems="start"
      >
        <MonthField label={t('fiscal.export.from')} value={from} onMonth={setFrom} />
        <MonthField label={t('fiscal.export.until')} error={orderProblem} value={until} onMonth={setUntil} />
        <chakra.div pt={{ base: '0', md: '7' }}>
          <Button onClick={running ? cancel : exportAll} disabled={!running && orderProblem !== undefined}>
            {running ? <X /> : <FileDown />}
            {t(running ? 'fiscal.export.cancel' : 'fiscal.export.run')}
          </Button>
        </chakra.div>
      </chakra.div>
    </section>
  );
}
