import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { orderTypes } from '#domain/order/vocabulary.ts';
import { maxSearchLength } from '#domain/report/filters.ts';
import { reportStatuses } from '#domain/report/vocabulary.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMoney } from '#src/formats/money.tsx';
import { FilterChips } from '#src/lists/filter-chips.tsx';
import { MoneyField } from '#src/forms/money-field.tsx';
import { SearchField } from '#src/lists/search-field.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { DateField } from '#src/forms/date-field.tsx';
import { filterNames, toReportFilters } from './filters.ts';
import type { FilterState } from './filters.ts';

export function FilterCard({ filters }: { filters: FilterState }) {
  const { t } = useTranslation();
  const { typed, set, errorOf } = filters;
  const amount = (name: 'minAmount' | 'maxAmount') => (
    <MoneyField
      label={t(`reports.filters.${name}`)}
      text={typed[name]}
      onText={(text) => set({ [name]: text })}
      error={errorOf(name)}
    />
  );
  return (
    <Panel title={t('reports.filters.title')}>
      <chakra.div
        display="grid"
        gridTemplateColumns={{
          base: 'repeat(2, minmax(0, 1fr))',
          lg: 'repeat(3, minmax(0, 1fr))',
          xl: 'repeat(6, minmax(0, 1fr))',
        }}
        gap="4"
        alignItems="start"
        px="4"
        pb="4"
      >
        <chakra.div gridColumn="1 / -1">
          <SearchField
            label={t('reports.filters.searchTerm')}
            value={typed.searchTerm}
            maxLength={maxSearchLength}
            error={errorOf('searchTerm')}
            onChange={(searchTerm) => set({ searchTerm })}
          />
        </chakra.div>
        <DateField
          label={t('reports.filters.startDate')}
          value={typed.startDate}
          error={errorOf('startDate')}
          onDay={(startDate) => set({ startDate })}
        />
        <DateField
          label={t('reports.filters.endDate')}
          value={typed.endDate}
          min={typed.startDate || undefined}
          error={errorOf('endDate')}
          onDay={(endDate) => set({ endDate })}
        />
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
      <ActiveFilters filters={filters} />
    </Panel>
  );
}

/** Chips of the active filters. An invalid filter has no chip; its field shows the error. */
function ActiveFilters({ filters: { typed, set, removeAll, errorOf } }: { filters: FilterState }) {
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
  const names = filterNames.filter((name) => texts[name] && !errorOf(name));
  if (names.length === 0) return null;
  return (
    <chakra.div px="4" pb="4">
      <FilterChips
        chips={names.map((name) => ({
          key: name,
          text: t(`reports.filters.chips.${name}`, { value: texts[name] }),
          onRemove: () => set({ [name]: '' }),
        }))}
        onRemoveAll={removeAll}
      />
    </chakra.div>
  );
}
