import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Seen } from '#domain/seen.ts';
import { faultText } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { ChangeList } from '../decisions/change-list.tsx';
import type { FieldChange } from '../decisions/changes.ts';
import { refreshData } from '../server-data/use-server-data.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toaster.tsx';
import { callEach } from './call-each.ts';
import type { RowCall, RowKeys } from './call-each.ts';

/** A request for each row. */
export interface RowRequest<Row> {
  call: RowCall<Row>;
  /** Says what has changed of a row since it was seen, by its stored values. */
  changesOf: (row: Row, stored: Seen) => FieldChange[];
}

/** A change of rows. */
export interface RowChange<Row> extends RowRequest<Row> {
  /** Takes the change back. Without it there is no Undo. */
  undo?: RowRequest<Row> | undefined;
  /** Handles the refusal of the only row, which then is not told here. Returns false if it did not. */
  onRefused?: (fault: CallFault) => boolean;
  done: (rows: readonly Row[]) => string;
  /** Title of what failed. */
  failed: string;
}

/** One change as somebody confirmed it. A retry is the same one: it has the same keys and sets the same values. */
interface Attempt<Row> extends Pick<RowChange<Row>, 'call' | 'failed' | 'changesOf' | 'onRefused'> {
  keys: RowKeys<Row>;
  onDone: (rows: readonly Row[]) => void;
}

interface Report<Row> extends Attempt<Row> {
  failures: readonly { row: Row; fault: CallFault }[];
}

/** True if nobody knows whether the server has done it. */
const isUnknown = ({ fault }: { fault: CallFault }): boolean => fault.code === 'NETWORK';

export interface RowChanges<Row> {
  /** Says whether the refusal of the only row was handled by its change. */
  run: (rows: readonly Row[], change: RowChange<Row>) => Promise<{ isHandled: boolean }>;
  isRunning: boolean;
}

const isChanged = ({ fault }: { fault: CallFault }): boolean => fault.code === 'CHANGED_MEANWHILE';

/**
 * Runs changes of rows: a toast says what was done and takes it back. A dialog names the rows for which it failed, each with
 * its reason, and tries those again whose outcome is unknown.
 */
export function useRowChanges<Row>({
  nameOf,
  refreshes,
}: {
  nameOf: (row: Row) => string;
  refreshes: readonly string[];
}): RowChanges<Row> & { failures: ReactNode } {
  const { t } = useTranslation();
  const [isRunning, setRunning] = useState(false);
  const [report, setReport] = useState<Report<Row> | null>(null);
  async function callAll(rows: readonly Row[], attempt: Attempt<Row>): Promise<{ isHandled: boolean }> {
    setRunning(true);
    const { done, failed } = await callEach(rows, attempt.call, { keys: attempt.keys });
    setRunning(false);
    void refreshData(...refreshes);
    const [only] = failed;
    const isHandled = only !== undefined && rows.length === 1 && (attempt.onRefused?.(only.fault) ?? false);
    if (isHandled) return { isHandled };
    if (only && rows.length === 1 && !isUnknown(only) && !isChanged(only))
      toast({ tone: 'error', title: attempt.failed, text: faultText(t, only.fault) });
    else if (only) setReport({ ...attempt, failures: failed });
    if (done.length > 0) attempt.onDone(done);
    return { isHandled };
  }
  function run(rows: readonly Row[], change: RowChange<Row>): Promise<{ isHandled: boolean }> {
    const { undo, done: doneText, ...called } = change;
    const onDone = (done: readonly Row[]) => {
      const action = undo && { label: t('list.undo'), onClick: () => takeBack(done, undo) };
      toast({ tone: 'success', title: doneText(done), action });
    };
    return callAll(rows, { ...called, keys: new Map(), onDone });
  }
  function takeBack(rows: readonly Row[], undo: RowRequest<Row>): void {
    const onDone = () => toast({ tone: 'info', title: t('list.undone') });
    void callAll(rows, { ...undo, keys: new Map(), failed: t('list.undoFailed'), onDone });
  }
  const close = () => setReport(null);
  const unknown = report?.failures.filter(isUnknown) ?? [];
  function retry(of: Report<Row>): void {
    close();
    void callAll(
      unknown.map(({ row }) => row),
      of,
    );
  }
  const failures = (
    <Dialog
      open={report !== null}
      onClose={close}
      title={report?.failed ?? ''}
      actions={
        <>
          <Button onClick={close}>{t('form.close')}</Button>
          {report && unknown.length > 0 && (
            <Button variant="primary" onClick={() => retry(report)}>
              {t('page.tryAgain')}
            </Button>
          )}
        </>
      }
    >
      <chakra.p color="fg.muted">{t('list.failedRows', { count: report?.failures.length ?? 0 })}</chakra.p>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3">
        {report?.failures.map((failure) => (
          <li key={nameOf(failure.row)}>
            <chakra.p fontWeight="medium" overflowWrap="anywhere">
              {nameOf(failure.row)}
            </chakra.p>
            <chakra.p fontSize="sm" color="refused.fg">
              {isUnknown(failure) ? t('list.unknown') : faultText(t, failure.fault)}
            </chakra.p>
            {isChanged(failure) && (
              <chakra.div fontSize="sm">
                <ChangeList changes={report.changesOf(failure.row, failure.fault.details ?? {})} />
              </chakra.div>
            )}
          </li>
        ))}
      </chakra.ul>
      {unknown.length > 0 && <chakra.p color="fg.muted">{t('list.onceOnly')}</chakra.p>}
    </Dialog>
  );
  return { run, isRunning, failures };
}
