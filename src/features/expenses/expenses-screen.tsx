import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useOldestAnswer, useRefresh } from '../../api/server-data.ts';
import { useMay } from '../../session/use-may.ts';
import { useOpened } from '../../navigation/use-opened.ts';
import { PageFrame } from '../../layout/page-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { ExpenseForm } from './expense-form.tsx';
import { ExpenseList } from './expense-list.tsx';
import { SummaryCards } from './summary-cards.tsx';

/** What the clinic spends. The form takes the place of the list while an expense is added or changed. */
export function ExpensesScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh('expenses');
  const oldSince = useOldestAnswer();
  const mayWrite = useMay('expense.write');
  const { opened, open, close } = useOpened('expense');
  const add = () => open('new');
  if (opened !== null && mayWrite) return <ExpenseForm key={opened} id={opened} onClose={close} />;
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
      <SummaryCards />
      <ExpenseList onAdd={add} onEdit={({ id }) => open(id)} />
    </PageFrame>
  );
}
