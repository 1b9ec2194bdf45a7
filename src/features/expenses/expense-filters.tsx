import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { expensePeriods } from '../../../domain/expense/periods.ts';
import type { ExpensePeriod } from '../../../domain/expense/periods.ts';
import { expenseCategories, expenseStatuses } from '../../../domain/expense/vocabulary.ts';
import type { ExpenseCategory, ExpenseStatus } from '../../../domain/expense/vocabulary.ts';
import { SearchField } from '../../lists/search-field.tsx';
import type { ListState } from '../../lists/use-list.ts';
import { SelectField } from '../../ui/select-field.tsx';

export interface ExpenseFilters {
  period: ExpensePeriod;
  status: 'all' | ExpenseStatus;
  category: 'all' | ExpenseCategory;
}

export const noFilters: ExpenseFilters = { period: 'all', status: 'all', category: 'all' };

export function Filters({ list }: { list: ListState<ExpenseFilters> }) {
  const { t } = useTranslation();
  const { period, status, category } = list.filters;
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{
        base: '1fr 1fr',
        md: '1fr 1fr 1fr',
        lg: 'minmax(10rem, 24rem) minmax(0, 12.5rem) minmax(0, 12.5rem) minmax(0, 14rem)',
      }}
      gap="3"
    >
      <chakra.div gridColumn={{ base: '1 / -1', lg: 'auto' }}>
        <SearchField
          label={t('expenses.search')}
          value={list.search}
          onChange={list.setSearch}
          isPending={list.isSearchPending}
        />
      </chakra.div>
      <SelectField
        label={t('expenses.periods.label')}
        labelHidden
        value={period}
        onChange={({ target }) => list.setFilters({ period: target.value as ExpensePeriod })}
        options={expensePeriods.map((each) => ({ value: each, label: t(`expenses.periods.${each}`) }))}
      />
      <SelectField
        label={t('expenses.statusFilter')}
        labelHidden
        value={status}
        onChange={({ target }) => list.setFilters({ status: target.value as ExpenseFilters['status'] })}
        options={[
          { value: 'all', label: t('expenses.allStatuses') },
          ...expenseStatuses.map((each) => ({ value: each, label: t(`expenses.status.${each}`) })),
        ]}
      />
      <chakra.div gridColumn={{ base: '1 / -1', md: 'auto' }}>
        <SelectField
          label={t('expenses.categoryFilter')}
          labelHidden
          value={category}
          onChange={({ target }) => list.setFilters({ category: target.value as ExpenseFilters['category'] })}
          options={[
            { value: 'all', label: t('expenses.allCategories') },
            ...expenseCategories.map((each) => ({ value: each, label: t(`expenses.categories.${each}`) })),
          ]}
        />
      </chakra.div>
    </chakra.div>
  );
}
