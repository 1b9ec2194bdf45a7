import { chakra } from '@chakra-ui/react';
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { orderTypes } from '#domain/order/vocabulary.ts';
import { maxSearchLength } from '#domain/report/filters.ts';
import { reportStatuses } from '#domain/report/vocabulary.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMoney } from '#src/formats/money.tsx';
import { FilterChips } from '#src/lists/filter-chips.tsx';
import type { FilterChip } from '#src/lists/filter-chips.tsx';
import { MoneyField } from '#src/forms/money-field.tsx';
import { SearchField } from '#src/lists/search-field.tsx';
import { Dropdown } from '#src/ui/dropdown.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { DateField } from '#src/forms/date-field.tsx';
import { filterNames, toReportFilters } from './filters.ts';
import type { FilterState } from './filters.ts';

/** The search, the other filters behind a button, and a chip for each active one: parts of a line above the data, with the chips below it. */
export function FilterBar({ filters }: { filters: FilterState }) {
  const { t } = useTranslation();
  const { typed, set, removeAll, errorOf } = filters;
  const [open, setOpen] = useState(false);
  const chips = useChips(filters);
  // The search shows what it filters itself.
  const count = chips.filter(({ key }) => key !== 'searchTerm').length;
  return (
    <>
      <chakra.div flex="1 1 9rem" minWidth="0" maxWidth={{ md: '30rem' }}>
        <SearchField
          label={t('reports.filters.searchTerm')}
          value={typed.searchTerm}
          maxLength={maxSearchLength}
          error={errorOf('searchTerm')}
          onChange={(searchTerm) => set({ searchTerm })}
        />
      </chakra.div>
      <Dropdown
        label={count > 0 ? `${t('reports.filters.title')} (${count})` : t('reports.filters.title')}
        icon={<ListFilter />}
        open={open}
        onOpenChange={setOpen}
      >
        <Fields filters={filters} />
      </Dropdown>
      {chips.length > 0 && (
        <chakra.div flex="1 1 100%" order="1" minWidth="0">
          <FilterChips chips={chips} onRemoveAll={removeAll} />
        </chakra.div>
      )}
    </>
  );
}

function Fields({ filters: { typed, set, errorOf } }: { filters: FilterState }) {
  const { t } = useTranslation();
  const day = (name: 'startDate' | 'endDate') => ({
    label: t(`reports.filters.${name}`),
    value: typed[name],
    error: errorOf(name),
    onDay: (chosen: string) => set({ [name]: chosen }),
  });
  const amount = (name: 'minAmount' | 'maxAmount') => (
    <MoneyField
      label={t(`reports.filters.${name}`)}
      text={typed[name]}
      onText={(text) => set({ [name]: text })}
      error={errorOf(name)}
    />
  );
  return (
    <chakra.div
      display="grid"
      // No amount is cut.
      gridTemplateColumns="repeat(auto-fit, minmax(10rem, 1fr))"
      columnGap="2"
      rowGap="3"
      alignItems="start"
      p="3"
      width={{ base: 'calc(100vw - 1.875rem)', md: '26rem' }}
    >
      <DateField {...day('startDate')} />
      <DateField {...day('endDate')} min={typed.startDate || undefined} />
      <SelectField
        label={t('reports.filters.orderType')}
        value={typed.orderType}
        onChange={({ target }) => set({ orderType: target.value })}
        options={[
          { value: '', label: t('reports.filters.all') },
          ...orderTypes.map((type) => ({ value: type, label: t(`counter.types.${type}`) })),
        ]}
      />
      <SelectField
        label={t('reports.filters.status')}
        value={typed.status}
        onChange={({ target }) => set({ status: target.value })}
        options={[
          { value: '', label: t('reports.filters.all') },
          ...reportStatuses.map((status) => ({ value: status, label: t(`reports.status.${status}`) })),
        ]}
      />
      {amount('minAmount')}
      {amount('maxAmount')}
    </chakra.div>
  );
}

/** Returns a chip for each active filter. An invalid filter has none; its field shows the error. */
function useChips({ typed, set, errorOf }: FilterState): FilterChip[] {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const { startDate, endDate, orderType, status, minAmount, maxAmount, searchTerm } = toReportFilters(typed);
  const texts = {
    startDate: startDate && formats.day(startDate),
    endDate: endDate && formats.day(endDate),
    orderType: orderType && t(`counter.types.${orderType}`),
    status: status && t(`reports.status.${status}`),
    minAmount: minAmount !== undefined && money(minAmount),
    maxAmount: maxAmount !== undefined && money(maxAmount),
    searchTerm,
  };
  return filterNames
    .filter((name) => texts[name] && !errorOf(name))
    .map((name) => ({
      key: name,
      text: t(`reports.filters.chips.${name}`, { value: texts[name] }),
      onRemove: () => set({ [name]: '' }),
    }));
}
