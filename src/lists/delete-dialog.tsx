import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Seen } from '#domain/seen.ts';
import { callServer } from '../api/client.ts';
import type { NounWords } from '../decisions/changes.ts';
import { changesOf } from '../decisions/changes.ts';
import { DecisionDialog } from '../decisions/decision-dialog.tsx';
import { useSeen } from '../decisions/use-seen.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import type { RowChange, RowChanges } from './row-changes.tsx';

/** How rows are deleted: after a question, by one request for each. */
export interface Deletion<Row> {
  path: (row: Row) => string;
  /** False for a row that cannot be deleted here. */
  may?: (row: Row) => boolean;
  /** What is seen of a row, in the fields of its resource. */
  seen: (row: Row) => Seen;
  /** These fields in words. */
  words: NounWords;
  /** True if `POST <path>/restore` takes it back. */
  isRestorable?: boolean;
  title: string;
  text: (row: Row) => string;
  done: (row: Row) => string;
  failed: string;
}

interface DeleteDialogProps<Row> {
  rows: readonly Row[];
  deletion: Deletion<Row>;
  onClose: () => void;
  changes: RowChanges<Row>;
}

/** Asks before rows are deleted. */
export function DeleteDialog<Row extends object>({ rows, ...props }: DeleteDialogProps<Row>) {
  const [only] = rows;
  if (!only) return null;
  return rows.length === 1 ? <DeleteOne row={only} {...props} /> : <DeleteMany rows={rows} {...props} />;
}

/** @param seenOfRow what the screen shows of a row now */
function useChangeOf<Row>({ path, isRestorable = false, ...deletion }: Deletion<Row>, seenOfRow: (row: Row) => Seen) {
  const { t } = useTranslation();
  const call = (method: 'post' | 'delete', address: string, row: Row, headers: Record<string, string>) =>
    callServer(method, address, { seen: seenOfRow(row) }, headers);
  const told = (row: Row, stored: Seen) => changesOf(deletion.words, seenOfRow(row), stored);
  const change: RowChange<Row> = {
    call: (row, headers) => call('delete', path(row), row, headers),
    changesOf: told,
    undo: isRestorable
      ? { call: (row, headers) => call('post', `${path(row)}/restore`, row, headers), changesOf: told }
      : undefined,
    done: (done) => (done.length === 1 ? deletion.done(done[0]!) : t('list.deleteMany.done', { count: done.length })),
    failed: deletion.failed,
  };
  return change;
}

/** One that has changed meanwhile is shown as it is now, and asked about again. */
function DeleteOne<Row extends object>({
  row,
  deletion,
  onClose,
  changes: { run, isRunning },
}: Omit<DeleteDialogProps<Row>, 'rows'> & { row: Row }) {
  const { t } = useTranslation();
  const sight = useSeen(deletion.seen(row), deletion.words);
  const change = useChangeOf(deletion, () => sight.seen);
  return (
    <DecisionDialog
      decision={{ ...sight, isRunning }}
      danger
      title={deletion.title}
      confirmLabel={t('list.delete')}
      onClose={onClose}
      onConfirm={() =>
        void run([row], { ...change, onRefused: sight.take }).then(({ isHandled }) => !isHandled && onClose())
      }
    >
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        {deletion.text({ ...row, ...sight.seen })}
      </chakra.p>
    </DecisionDialog>
  );
}

function DeleteMany<Row>({ rows, deletion, onClose, changes }: DeleteDialogProps<Row>) {
  const { t } = useTranslation();
  const change = useChangeOf(deletion, deletion.seen);
  return (
    <ConfirmDialog
      open
      danger
      title={t('list.deleteMany.title', { count: rows.length })}
      text={t('list.deleteMany.text', { count: rows.length })}
      confirmLabel={t('list.delete')}
      cancelLabel={t('form.cancel')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        void changes.run(rows, change);
      }}
    />
  );
}
