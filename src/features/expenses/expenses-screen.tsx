import { chakra } from '@chakra-ui/react';
import { Plus, CircleCheck, Clock, ListChecks, Sigma } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { expensePaths, useExpenseSummary } from '#src/server-data/expenses.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { useMay } from '#src/session/session.ts';
import { useOpened } from '#src/navigation/use-opened.ts';
import { HeadLine, PageFrame } from '#src/back-office/page-frame.tsx';
import { Button } from '#src/ui/button.tsx';
import { useLikelyToday } from '#src/formats/clock.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { wide } from '#src/ui/desk.ts';
import { StatCard } from '#src/ui/stat-card.tsx';
import { ExpenseForm } from './expense-form.tsx';
import { ExpenseList } from './expense-list.tsx';
import { useMoney } from '#src/formats/money.tsx';

/** Expenses section. The form covers the list while an expense is created or edited. */
export function ExpensesScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...expensePaths);
  const oldSince = useOldestResponse();
  const mayWrite = useMay('expense.write');
  const { opened, open, close } = useOpened('expense');
  const add = () => open('new');
  return (
    <PageFrame
      title={t('expenses.title')}
      text={t('expenses.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={oldSince}
      actions={
        mayWrite && (
          <Button variant="primary" onClick={add}>
            <Plus />
            {t('expenses.add')}
          </Button>
        )
      }
    >
      <HeadLine needsRoom={54} bar={<SummaryCards />}>
        <ExpenseList onAdd={add} onEdit={({ id }) => open(id)} />
      </HeadLine>
      {opened !== null && mayWrite && <ExpenseForm key={opened} id={opened} onClose={close} />}
    </PageFrame>
  );
}

/** Totals of the current month. */
function SummaryCards() {
  const { t } = useTranslation();
  const id = useId();
  const formats = useClinicFormats();
  const amount = useMoney();
  const today = useLikelyToday();
  const { value, fault } = useExpenseSummary();
  const summary = value?.data;
  // A figure that cannot be loaded is no figure that loads.
  const missing = fault ? '–' : undefined;
  return (
    <chakra.section
      aria-labelledby={id}
      css={{ [wide]: { display: 'flex', alignItems: 'center', columnGap: '{spacing.5}', maxHeight: '2.5rem' } }}
    >
      <chakra.h2
        id={id}
        minHeight="6"
        mb="2"
        fontSize="sm"
        fontWeight="medium"
        color="fg.muted"
        css={{
          [wide]: { marginBottom: '0', lineHeight: '{lineHeights.tight}' },
          // Beside the figures of a narrower line it takes two lines of its own.
          '@container head (54rem <= width < 66rem)': { maxWidth: '5.5rem' },
        }}
      >
        {t('expenses.summary.month', { month: formats.month(today) })}
      </chakra.h2>
      <chakra.div
        display="grid"
        gridTemplateColumns="1fr 1fr"
        gap="3"
        css={{
          [wide]: { display: 'flex', columnGap: '{spacing.6}' },
          // The sums stand whole beside the buttons.
          '@container head (54rem <= width < 66rem)': { columnGap: '{spacing.4}', '& > *': { minWidth: '0' } },
        }}
      >
        <StatCard
          isLine
          label={t('expenses.summary.count')}
          value={summary?.totalCount ?? missing}
          icon={<ListChecks size={18} />}
        />
        <StatCard
          isLine
          label={t('expenses.summary.pending')}
          value={summary ? amount(summary.pendingAmount) : missing}
          icon={<Clock size={18} />}
        />
        <StatCard
          isLine
          label={t('expenses.summary.approved')}
          value={summary ? amount(summary.approvedAmount) : missing}
          icon={<CircleCheck size={18} />}
        />
        <StatCard
          isLine
          label={t('expenses.summary.total')}
          value={summary ? amount(summary.totalAmount) : missing}
          icon={<Sigma size={18} />}
        />
      </chakra.div>
    </chakra.section>
  );
}
