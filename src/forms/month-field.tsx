import type { ComponentProps } from 'react';
import { useMinute } from '../formats/clock.ts';
import { useClinicFormats } from '../formats/use-formats.ts';
import { businessDay } from '#domain/business-day.ts';
import { useClinicSettings } from '../local-data/use-clinic-settings.ts';
import { SelectField } from '../ui/select-field.tsx';

/** The months that the field offers: commercial law has books kept for six years. */
const offered = 72;

/** Returns the current month of the clinic, YYYY-MM. */
export function useThisMonth(): string {
  const { time_zone: timeZone } = useClinicSettings();
  return businessDay(useMinute(), timeZone).slice(0, 7);
}

/** Returns a month and those before it, the latest first. */
export function monthsBefore(last: string, count: number): string[] {
  const [year, month] = last.split('-').map(Number) as [number, number];
  return Array.from({ length: count }, (_, back) => {
    const at = year * 12 + month - 1 - back;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}

interface MonthFieldProps extends Omit<ComponentProps<typeof SelectField>, 'options' | 'value' | 'onChange'> {
  /** YYYY-MM. */
  value: string;
  onMonth: (month: string) => void;
}

/** Field for a month up to the current one, in the words of the reader's language. */
export function MonthField({ value, onMonth, ...rest }: MonthFieldProps) {
  const { month: words } = useClinicFormats();
  const months = monthsBefore(useThisMonth(), offered);
  return (
    <SelectField
      {...rest}
      value={value}
      onChange={({ target }) => onMonth(target.value)}
      options={(months.includes(value) ? months : [...months, value]).map((each) => ({
        value: each,
        label: words(`${each}-01`),
      }))}
    />
  );
}
