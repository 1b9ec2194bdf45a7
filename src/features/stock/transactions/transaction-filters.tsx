import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { stockTransactionStatuses, stockTransactionTypes } from '../../../../domain/stock/vocabulary.ts';
import type { LedgerFilters } from '../../../server-data/inventory.ts';
import { FilterChips } from '../../../lists/filter-chips.tsx';
import { SearchField } from '../../../lists/search-field.tsx';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import type { ListState } from '../../../lists/use-list.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';

export const noFilters: LedgerFilters = { type: '', status: '', from: '', to: '' };

/** Without `adjustment`, an alias of `manual_adjustment` that the ledger never writes. */
const types = stockTransactionTypes.filter((type) => type !== 'adjustment');

export function TransactionFilters({ list }: { list: ListState<LedgerFilters> }) {
  const { t } = useTranslation();
  const { type, status, from, to } = list.filters;
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{
        base: '1fr 1fr',
        md: 'repeat(4, minmax(0, 1fr))',
        xl: 'minmax(12rem, 1fr) repeat(4, 11rem)',
      }}
      gap="3"
      alignItems="start"
    >
      <chakra.div gridColumn={{ base: '1 / -1', xl: 'auto' }} pt={{ base: '0', xl: '27px' }}>
        <SearchField
          label={t('stock.transactions.search')}
          value={list.search}
          onChange={list.setSearch}
          isPending={list.isSearchPending}
        />
      </chakra.div>
      <SelectField
        label={t('stock.transactions.type')}
        value={type}
        onChange={({ target }) => list.setFilters({ type: target.value as LedgerFilters['type'] })}
        options={[
          { value: '', label: t('stock.transactions.allTypes') },
          ...types.map((each) => ({ value: each, label: t(`stock.transactionTypes.${each}`) })),
        ]}
      />
      <SelectField
        label={t('stock.transactions.status')}
        value={status}
        onChange={({ target }) => list.setFilters({ status: target.value as LedgerFilters['status'] })}
        options={[
          { value: '', label: t('stock.transactions.allStatuses') },
          ...stockTransactionStatuses.map((each) => ({ value: each, label: t(`stock.transactions.statuses.${each}`) })),
        ]}
      />
      <TextField
        type="date"
        label={t('stock.transactions.from')}
        value={from}
        onChange={({ target }) => list.setFilters({ from: target.value })}
      />
      <TextField
        type="date"
        label={t('stock.transactions.to')}
        value={to}
        min={from || undefined}
        error={from && to && to < from ? t('stock.transactions.toBeforeFrom') : undefined}
        onChange={({ target }) => list.setFilters({ to: target.value })}
      />
    </chakra.div>
  );
}

export function ActiveFilters({ list }: { list: ListState<LedgerFilters> }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { settledSearch: search, filters } = list;
  const texts = {
    search,
    type: filters.type && t(`stock.transactionTypes.${filters.type}`),
    status: filters.status && t(`stock.transactions.statuses.${filters.status}`),
    from: filters.from && formats.day(filters.from),
    to: filters.to && formats.day(filters.to),
  };
  const names = (Object.keys(texts) as (keyof typeof texts)[]).filter((name) => texts[name] !== '');
  return (
    <FilterChips
      chips={names.map((name) => ({
        key: name,
        text: t(`stock.transactions.chips.${name}`, { value: texts[name] }),
        onRemove: () => (name === 'search' ? list.setSearch('') : list.setFilters({ [name]: '' })),
      }))}
      onRemoveAll={() => {
        list.setSearch('');
        list.setFilters(noFilters);
      }}
    />
  );
}
