import { chakra, Flex } from '@chakra-ui/react';
import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isDay } from '#domain/business-day.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import { useToday } from '#src/formats/clock.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { printContent } from '#src/printing/print-content.ts';
import { useDayEnd } from '#src/server-data/reports.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { Button } from '#src/ui/button.tsx';
import { useIsWide, wide } from '#src/ui/desk.ts';
import { intlTag } from '#src/ui/intl-tag.ts';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { DateField } from '#src/forms/date-field.tsx';
import { SummaryView } from './summary-view.tsx';
import { useDayEndSummary } from './use-day-end-summary.ts';
import type { DayEndSummary, SummarySection } from './use-day-end-summary.ts';

/** Summary of one business day, on screen and printed. */
export function DayEndTab() {
  const { t } = useTranslation();
  const { day, today, choose } = useDay();
  const response = useDayEnd(day);
  const summaryOf = useDayEndSummary();
  const print = usePrintSummary();
  const summary = response.value && summaryOf(response.value.data);
  return (
    <Flex
      direction="column"
      gap="4"
      width="full"
      maxWidth={{ base: '46rem', lg: '72rem' }}
      css={{ [wide]: { gap: '{spacing.2}' } }}
    >
      <Flex justify="space-between" align="flex-end" gap="3">
        <chakra.div width="48">
          <DateField label={t('dayEnd.day')} labelHidden={useIsWide()} value={day ?? ''} max={today} onDay={choose} />
        </chakra.div>
        <Button disabled={!summary} onClick={() => summary && void print(summary)}>
          <Printer />
          {t('dayEnd.print')}
        </Button>
      </Flex>
      {response.fault ? (
        <NotLoaded data={response} />
      ) : summary ? (
        <SummaryView summary={summary} />
      ) : (
        <Skeleton height="96" aria-busy />
      )}
    </Flex>
  );
}

interface ChosenDay {
  /** Undefined until the clinic's current business day is known. */
  day: string | undefined;
  today: string | undefined;
  choose: (day: string) => void;
}

/** Keeps the chosen business day in the query string. Defaults to today; a future or invalid day is ignored. */
function useDay(): ChosenDay {
  const [search, setSearch] = useSearchParams();
  const today = useToday();
  const chosen = search.get('day') ?? '';
  const isPast = (day: string) => isDay(day) && today !== undefined && day < today;
  function choose(day: string) {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (isPast(day)) after.set('day', day);
        else after.delete('day');
        return after;
      },
      { replace: true },
    );
  }
  return { day: isPast(chosen) ? chosen : today, today, choose };
}

/** Returns a function that prints a summary at the paper width of the settings. Call it in the tap's handler. */
function usePrintSummary(): (summary: DayEndSummary) => Promise<void> {
  const { t, i18n } = useTranslation();
  const settings = useClinicSettings();
  return ({ title, status, sections }) =>
    printContent(
      () => ({
        title,
        language: intlTag(i18n.language),
        width: settings.paper_width,
        rows: [
          { style: 'title', left: settings.practice_name, part: 'practice' },
          { style: 'title', left: title, part: 'title' },
          { style: 'small', left: status },
          ...sections.flatMap(printedSection),
        ],
        copyWord: null,
        look: settings,
      }),
      t('dayEnd.printFailed'),
    );
}

function printedSection({ title, rows, emptyText }: SummarySection): PrintedRow[] {
  const printed = rows.flatMap(({ name, note, value, isSum }): PrintedRow[] => [
    { style: isSum ? 'total' : 'item', left: name, right: value },
    ...(note ? [{ style: 'small' as const, left: note }] : []),
  ]);
  return [
    { style: 'rule' },
    { style: 'text', left: title },
    ...(rows.length > 0 ? printed : [{ style: 'small' as const, left: emptyText }]),
  ];
}
