import { chakra, Flex } from '@chakra-ui/react';
import { CalendarDays, FilterX, ListFilter } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '../forms/date-field.tsx';
import { useFormats } from '../formats/use-formats.ts';
import { Button } from '../ui/button.tsx';
import { useHasRoomForFilters, useIsWide } from '../ui/desk.ts';
import { Dropdown } from '../ui/dropdown.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { Option } from '../ui/select-field.tsx';
import type { ListState } from './use-list.ts';

/** A filter of a list: a choice, or the days between two. The first option of a choice names what it filters. */
export type FilterField<Filters> =
  | { name: keyof Filters & string; label: string; options: readonly Option[] }
  | { from: keyof Filters & string; to: keyof Filters & string };

interface FilterFieldsProps<Filters extends Record<string, string>> {
  list: ListState<Filters>;
  fields: readonly FilterField<Filters>[];
}

/** The filters of a list: each as high as the search beside it, or behind one button where their words would be cut. */
export function FilterFields<Filters extends Record<string, string>>(props: FilterFieldsProps<Filters>) {
  const [isWide, hasRoom] = [useIsWide(), useHasRoomForFilters()];
  const isFolded = props.fields.length > 0 && !hasRoom && (!isWide || props.fields.length > 1);
  return isFolded ? <FoldedFilters {...props} /> : <OpenFilters {...props} />;
}

const setterOf =
  <Filters extends Record<string, string>>(list: ListState<Filters>) =>
  (name: keyof Filters & string, value: string) =>
    list.setFilters({ [name]: value } as Partial<Filters>);

/** One button with the filters below each other, which says how many of them are set. */
function FoldedFilters<Filters extends Record<string, string>>({ list, fields }: FilterFieldsProps<Filters>) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const isWide = useIsWide();
  const set = setterOf(list);
  const isSet = (field: FilterField<Filters>) =>
    'name' in field
      ? list.filters[field.name] !== field.options[0]?.value
      : list.filters[field.from] !== '' || list.filters[field.to] !== '';
  const count = fields.filter(isSet).length;
  return (
    <Dropdown
      label={count > 0 ? `${t('list.filters')} (${count})` : t('list.filters')}
      icon={
        <>
          <ListFilter />
          {!isWide && count > 0 && <Dot />}
        </>
      }
      // On a phone the search needs the room.
      isIcon={!isWide}
      alignEnd={!isWide}
      open={open}
      onOpenChange={setOpen}
    >
      <Flex direction="column" gap="3" p="3">
        {fields.map((field) =>
          'name' in field ? (
            <SelectField
              key={field.name}
              label={field.label}
              value={list.filters[field.name]}
              onChange={({ target }) => set(field.name, target.value)}
              options={field.options}
            />
          ) : (
            <Days key={field.from} list={list} field={field} />
          ),
        )}
        {list.isFiltered && <Button onClick={list.showAll}>{t('list.clearFilters')}</Button>}
      </Flex>
    </Dropdown>
  );
}

/** Says on the sign alone that filters are set. */
function Dot() {
  return (
    <chakra.span
      aria-hidden
      position="absolute"
      top="2"
      insetInlineEnd="2"
      width="2.5"
      height="2.5"
      borderRadius="full"
      bg="accent.solid"
    />
  );
}

function Days<Filters extends Record<string, string>>({
  list,
  field: { from, to },
}: {
  list: ListState<Filters>;
  field: Extract<FilterField<Filters>, { from: unknown }>;
}) {
  const set = setterOf(list);
  return (
    <DayFields
      from={list.filters[from]!}
      to={list.filters[to]!}
      onFrom={(day) => set(from, day)}
      onTo={(day) => set(to, day)}
    />
  );
}

function OpenFilters<Filters extends Record<string, string>>({ list, fields }: FilterFieldsProps<Filters>) {
  const { t } = useTranslation();
  const set = setterOf(list);
  return (
    <>
      {fields.map((field) =>
        'name' in field ? (
          <chakra.div
            key={field.name}
            // As wide before its options are there as afterwards.
            flex="0 1 13.25rem"
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
function DayRange(props: DayRangeProps) {
  const { from, to } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const label =
    from && to && !isReversed(props)
      ? formats.days({ start: from, end: to })
      : from
        ? t('list.days.since', { day: formats.day(from) })
        : to
          ? t('list.days.until', { day: formats.day(to) })
          : t('list.days.any');
  return (
    <Dropdown label={label} icon={<CalendarDays />} open={open} onOpenChange={setOpen} name={t('list.days.label')}>
      <Flex direction="column" gap="3" p="3">
        <DayFields {...props} />
      </Flex>
    </Dropdown>
  );
}

const isReversed = ({ from, to }: Pick<DayRangeProps, 'from' | 'to'>): boolean => from !== '' && to !== '' && to < from;

function DayFields({ from, to, onFrom, onTo }: DayRangeProps) {
  const { t } = useTranslation();
  return (
    <>
      <DateField label={t('list.days.from')} value={from} onDay={onFrom} />
      <DateField
        label={t('list.days.to')}
        value={to}
        min={from || undefined}
        error={isReversed({ from, to }) ? t('list.days.reversed') : undefined}
        onDay={onTo}
      />
    </>
  );
}
