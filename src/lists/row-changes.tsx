import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultText } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { refreshData } from '../server-data/use-server-data.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toaster.tsx';
import { callEach } from './call-each.ts';
import type { RowCall } from './call-each.ts';

/** A change of rows, by a request for each. */
export interface RowChange<Row> {
  call: RowCall<Row>;
  /** Takes the change back. Without it there is no Undo. */
  undo?: RowCall<Row> | undefined;
  done: (rows: readonly Row[]) => string;
  /** Title of what failed. */
  failed: string;
}

interface Failure {
  name: string;
  fault: CallFault;
}

/**
 * Runs changes of rows: a toast says what was done and takes it back, and of several rows a dialog names those for which it
 * failed, each with its reason.
 */
export function useRowChanges<Row>({
  nameOf,
  refreshes,
}: {
  nameOf: (row: Row) => string;
  refreshes: readonly string[];
}) {
  const { t } = useTranslation();
  const [isRunning, setRunning] = useState(false);
  const [report, setReport] = useState<{ title: string; failures: Failure[] } | null>(null);
  async function callAll(rows: readonly Row[], call: RowCall<Row>, failedTitle: string): Promise<Row[]> {
    setRunning(true);
    const { done, failed } = await callEach(rows, call);
    setRunning(false);
    void refreshData(...refreshes);
    if (failed.length === 1 && rows.length === 1)
      toast({ tone: 'error', title: failedTitle, text: faultText(t, failed[0]!.fault) });
    else if (failed.length > 0)
      setReport({ title: failedTitle, failures: failed.map(({ row, fault }) => ({ name: nameOf(row), fault })) });
    return done;
  }
  async function run(rows: readonly Row[], { call, undo, done: doneText, failed }: RowChange<Row>): Promise<void> {
    const done = await callAll(rows, call, failed);
    if (done.length === 0) return;
    const action = undo && { label: t('list.undo'), onClick: () => void takeBack(done, undo) };
    toast({ tone: 'success', title: doneText(done), action });
  }
  async function takeBack(rows: readonly Row[], undo: RowCall<Row>): Promise<void> {
    const done = await callAll(rows, undo, t('list.undoFailed'));
    if (done.length > 0) toast({ tone: 'info', title: t('list.undone') });
  }
  const close = () => setReport(null);
  const failures = (
    <Dialog
      open={report !== null}
      onClose={close}
      title={report?.title ?? ''}
      actions={<Button onClick={close}>{t('form.close')}</Button>}
    >
      <chakra.p color="fg.muted">{t('list.failedRows', { count: report?.failures.length ?? 0 })}</chakra.p>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3">
        {report?.failures.map(({ name, fault }) => (
          <li key={name}>
            <chakra.p fontWeight="medium" overflowWrap="anywhere">
              {name}
            </chakra.p>
            <chakra.p fontSize="sm" color="refused.fg">
              {faultText(t, fault)}
            </chakra.p>
          </li>
        ))}
      </chakra.ul>
    </Dialog>
  );
  return { run: (rows: readonly Row[], change: RowChange<Row>) => void run(rows, change), isRunning, failures };
}
