import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import type { Reply } from '#src/server-data/list-query.ts';
import type { ServerData } from '#src/server-data/use-server-data.ts';
import { Button } from '#src/ui/button.tsx';
import { FullDialog } from '#src/ui/full-dialog.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

interface RecordFormProps<Stored, Draft> {
  /** The stored record, as it loads. */
  record: ServerData<Reply<Stored>>;
  id: number | 'new';
  blank: Draft;
  draftOf: (stored: Stored) => Draft;
  title: string;
  onClose: () => void;
  children: (initial: Draft) => ReactNode;
}

/** Loads a record and passes its draft to the form once: a later refetch must not overwrite what the user is typing. */
export function RecordForm<Stored, Draft extends object>({
  record,
  id,
  blank,
  draftOf,
  title,
  onClose,
  children,
}: RecordFormProps<Stored, Draft>) {
  const { t } = useTranslation();
  const [initial, setInitial] = useState(id === 'new' ? blank : null);
  if (!initial && record.value && !record.isBusy) setInitial(draftOf(record.value.data));
  if (initial) return children(initial);
  return (
    <FullDialog
      title={title}
      closeLabel={t('form.close')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('form.cancel')}</Button>}
    >
      <Flex direction="column" gap="4" maxWidth="64rem" mx="auto" p="8">
        {record.fault ? <NotLoaded data={record} /> : [1, 2, 3, 4].map((row) => <Skeleton key={row} height="12" />)}
      </Flex>
    </FullDialog>
  );
}
