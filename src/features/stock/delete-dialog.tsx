import { useTranslation } from 'react-i18next';
import { callServer } from '../../api/client.ts';
import { cataloguePaths } from '../../server-data/catalogue.ts';
import { useServerCall } from '../../server-data/use-server-call.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';

interface DeletableRecord {
  id: number;
  name: string;
}

interface DeleteDialogProps {
  /** The record to delete; null closes the dialog. */
  record: DeletableRecord | null;
  /** Path of the list that the record belongs to, such as `stock`. */
  path: string;
  title: string;
  textOf: (name: string) => string;
  confirmLabel: string;
  /** Returns the title of the toast shown on success. */
  done: (name: string) => string;
  /** Title of the toast shown on failure. */
  failed: string;
  onClose: () => void;
}

/** Asks for confirmation, then deletes a record on the server. */
export function DeleteDialog({ record, path, title, textOf, confirmLabel, done, failed, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const deletion = useServerCall(
    ({ id }: DeletableRecord, headers) => callServer('delete', `${path}/${id}`, undefined, headers),
    { refreshes: cataloguePaths, done: ({ name }) => done(name), failed },
  );
  return (
    <ConfirmDialog
      open={record !== null}
      danger
      title={title}
      text={textOf(record?.name ?? '')}
      confirmLabel={confirmLabel}
      cancelLabel={t('form.cancel')}
      onCancel={onClose}
      onConfirm={() => {
        if (record) void deletion.run(record);
        onClose();
      }}
    />
  );
}
