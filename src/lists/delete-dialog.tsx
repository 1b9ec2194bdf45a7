import { useTranslation } from 'react-i18next';
import { callServer } from '../api/client.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import type { RowChange } from './row-changes.tsx';

/** How rows are deleted: after a question, by one request for each. */
export interface Deletion<Row> {
  path: (row: Row) => string;
  /** False for a row that cannot be deleted here. */
  may?: (row: Row) => boolean;
  /** True if `POST <path>/restore` takes it back. */
  isRestorable?: boolean;
  title: string;
  text: (row: Row) => string;
  done: (row: Row) => string;
  failed: string;
}

/** Asks before rows are deleted. */
export function DeleteDialog<Row>({
  rows,
  deletion,
  onClose,
  run,
}: {
  rows: readonly Row[];
  deletion: Deletion<Row>;
  onClose: () => void;
  run: (change: RowChange<Row>) => void;
}) {
  const { t } = useTranslation();
  const [only] = rows;
  const isOne = rows.length === 1;
  const { path, isRestorable = false } = deletion;
  return (
    <ConfirmDialog
      open={rows.length > 0}
      danger
      title={isOne ? deletion.title : t('list.deleteMany.title', { count: rows.length })}
      text={isOne && only ? deletion.text(only) : t('list.deleteMany.text', { count: rows.length })}
      confirmLabel={t('list.delete')}
      cancelLabel={t('form.cancel')}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        run({
          call: (row, headers) => callServer('delete', path(row), undefined, headers),
          undo: isRestorable
            ? (row, headers) => callServer('post', `${path(row)}/restore`, undefined, headers)
            : undefined,
          done: (done) =>
            done.length === 1 ? deletion.done(done[0]!) : t('list.deleteMany.done', { count: done.length }),
          failed: deletion.failed,
        });
      }}
    />
  );
}
