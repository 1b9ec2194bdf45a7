import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Problems } from '#domain/problems.ts';
import { DateField } from '#src/forms/date-field.tsx';
import { useIsWide } from '#src/ui/desk.ts';

interface PeriodFieldsProps {
  /** Days, `yyyy-mm-dd`; empty where none is chosen. */
  startDate: string;
  endDate: string;
  problems: Problems<'startDate' | 'endDate'>;
  onChange: (change: Record<string, string>) => void;
}

/** The first and the last day of a report. */
export function PeriodFields({ startDate, endDate, problems, onChange }: PeriodFieldsProps) {
  const { t } = useTranslation();
  // In a wide window the fields stand in the line of the toolbar, and two days need no names there.
  const isWide = useIsWide();
  const fieldOf = (name: 'startDate' | 'endDate', value: string) => ({
    label: t(`reports.filters.${name}`),
    labelHidden: isWide,
    value,
    error: problems[name] && t(`problems.${problems[name]}`),
    onDay: (day: string) => onChange({ [name]: day }),
  });
  const width = { base: 'calc(50% - 0.375rem)', md: '40' };
  return (
    <>
      <chakra.div width={width}>
        <DateField {...fieldOf('startDate', startDate)} />
      </chakra.div>
      <chakra.div width={width}>
        <DateField min={startDate || undefined} {...fieldOf('endDate', endDate)} />
      </chakra.div>
    </>
  );
}
