import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { faultText } from '#src/api/client.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import type { Reply } from '#src/server-data/list-query.ts';
import { isGoneFault } from '#src/server-data/use-server-data.ts';
import type { ServerData } from '#src/server-data/use-server-data.ts';
import { Button } from '#src/ui/button.tsx';
import { FullDialog } from '#src/ui/full-dialog.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

interface RecordFormProps<Stored> {
  /** The stored record, as it loads. */
  record: ServerData<Reply<Stored>>;
  id: number | 'new';
  title: string;
  onClose: () => void;
  /** @param over why nothing can be saved any more: the record is gone */
  children: (record: Stored | 'new', over?: string) => ReactNode;
}

/** Loads a record and passes it to its form, which opens with what the server has. */
export function RecordForm<Stored>({ record, id, title, onClose, children }: RecordFormProps<Stored>) {
  const { t } = useTranslation();
  const [isLoaded, setLoaded] = useState(id === 'new');
  if (!isLoaded && record.value && !record.isBusy) setLoaded(true);
  if (id === 'new') return children('new');
  if (isLoaded && record.value)
    return children(
      record.value.data,
      record.fault && isGoneFault(record.fault) ? faultText(t, record.fault) : undefined,
    );
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
