import { chakra, Flex } from '@chakra-ui/react';
import { CalendarDays, FilterX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '../forms/date-field.tsx';
import { useFormats } from '../formats/use-formats.ts';
import { Dropdown } from '../ui/dropdown.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { Option } from '../ui/select-field.tsx';
import type { ListState } from './use-list.ts';

/** A filter of a list: a choice, or the days between two. The first option of a choice names what it filters. */
export type FilterField<Filters> =
  | { name: keyof Filters & string; label: string; options: readonly Option[] }
  | { from: keyof Filters & string; to: keyof Filters & string };

/** The filters of a list, each as high as the search beside it. */
export function FilterFields<Filters extends Record<string, string>>({
  list,
  fields,
}: {
  list: ListState<Filters>;
  fields: readonly FilterField<Filters>[];
}) {
  const { t } = useTranslation();
  const set = (name: keyof Filters & string, value: string) => list.setFilters({ [name]: value } as Partial<Filters>);
  return (
    <>
      {fields.map((field) =>
        'name' in field ? (
          <chakra.div
            key={field.name}
            // As wide before its options are there as afterwards.
            flex={{ base: '1 1 7.5rem', md: '0 1 11rem', lg: '0 1 13.25rem' }}
            minWidth="0"
          >
            <SelectField
              label={field.label}
              labelHidden
              value={list.filters[field.name]}
              onChange={({ target }) => set(field.name, target.value)}
              options={field.options}
              {...(list.filters[field.name] !== field.options[0]?.value && { borderColor: 'accent.solid' })}
            />
          </chakra.div>
        ) : (
          <DayRange
            key={field.from}
            from={list.filters[field.from]!}
            to={list.filters[field.to]!}
            onFrom={(day) => set(field.from, day)}
            onTo={(day) => set(field.to, day)}
          />
        ),
      )}
      {list.isFiltered && fields.length > 0 && (
        <IconButton label={t('list.clearFilters')} onClick={list.showAll}>
          <FilterX />
        </IconButton>
      )}
    </>
  );
}

interface DayRangeProps {
  /** YYYY-MM-DD, or empty. */
  from: string;
  to: string;
  onFrom: (day: string) => void;
  onTo: (day: string) => void;
}

/** The days between two, both included, as one button that says them. */
function DayRange({ from, to, onFrom, onTo }: DayRangeProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const isReversed = from !== '' && to !== '' && to < from;
  const label =
    from && to && !isReversed
      ? formats.days({ start: from, end: to })
      : from
        ? t('list.days.since', { day: formats.day(from) })
        : to
          ? t('list.days.until', { day: formats.day(to) })
          : t('list.days.any');
  return (
    <Dropdown label={label} icon={<CalendarDays />} open={open} onOpenChange={setOpen} name={t('list.days.label')}>
      <Flex direction="column" gap="3" p="3">
        <DateField label={t('list.days.from')} value={from} onDay={onFrom} />
        <DateField
          label={t('list.days.to')}
          value={to}
          min={from || undefined}
          error={isReversed ? t('list.days.reversed') : undefined}
          onDay={onTo}
        />
      </Flex>
    </Dropdown>
  );
}
