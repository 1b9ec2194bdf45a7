import { chakra, Flex } from '@chakra-ui/react';
import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DayEnd } from '../../../../domain/notification/day-end.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { SheetView } from './summary-view.tsx';
import { usePrintSheet } from './use-print-sheet.ts';
import { useSheet } from './use-day-end-summary.ts';
import { useSearchParams } from 'react-router-dom';
import { isDay } from '../../../../domain/business-day.ts';
import { useToday } from '../../../formats/clock.ts';

/** What one business day came to, on a sheet that can be printed. */
export function DayEndTab() {
  const { t } = useTranslation();
  const { day, today, choose } = useDay();
  const answer = useServerData<{ data: DayEnd }>('reports/day-end', { day }, { enabled: day !== undefined });
  const sheetOf = useSheet();
  const print = usePrintSheet();
  const sheet = answer.value && sheetOf(answer.value.data);
  return (
    <Flex direction="column" gap="4" width="full" maxWidth="46rem" mx="auto">
      <Flex justify="space-between" align="flex-end" gap="3">
        <chakra.div width="48">
          <TextField
            type="date"
            label={t('dayEnd.day')}
            value={day ?? ''}
            max={today}
            onChange={({ target }) => choose(target.value)}
          />
        </chakra.div>
        <Button disabled={!sheet} onClick={() => sheet && print(sheet)}>
          <Printer />
          {t('dayEnd.print')}
        </Button>
      </Flex>
      {answer.fault ? (
        <LoadError data={answer} />
      ) : sheet ? (
        <SheetView sheet={sheet} />
      ) : (
        <Skeleton height="96" aria-busy />
      )}
    </Flex>
  );
}

export interface ChosenDay {
  /** Undefined until the clinic's own day is known. */
  day: string | undefined;
  today: string | undefined;
  choose: (day: string) => void;
}

/** The business day that is looked at, kept in the address: today unless another was chosen, and none that has not come yet. */
export function useDay(): ChosenDay {
  const [address, setAddress] = useSearchParams();
  const today = useToday();
  const asked = address.get('day') ?? '';
  const isGone = (day: string) => isDay(day) && today !== undefined && day < today;
  function choose(day: string) {
    setAddress(
      (before) => {
        const after = new URLSearchParams(before);
        if (isGone(day)) after.set('day', day);
        else after.delete('day');
        return after;
      },
      { replace: true },
    );
  }
  return { day: isGone(asked) ? asked : today, today, choose };
}
