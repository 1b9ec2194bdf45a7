import { chakra, Flex } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StockDocument } from '../../../../domain/stock/documents.ts';
import { useDraftForm } from '../../../app/draft-form.ts';
import { NoAnswer } from '../../../app/no-answer.tsx';
import { useServerData } from '../../../app/server-data.ts';
import { Button } from '../../../ui/button.tsx';
import { FullDialog } from '../../../ui/full-dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { DraftActions } from '../../../parts/draft-actions.tsx';
import { RestoredNote } from '../../../parts/restored-note.tsx';
import { useSavePictured } from '../use-save-pictured.ts';
import { blankItem, draftOf, itemBody, itemProblems } from './item-draft.ts';
import type { ItemDraft } from './item-draft.ts';
import { AvailabilityFields, IdentityFields, LevelFields, SupplierFields } from './item-fields.tsx';

interface ItemFormProps {
  /** The item to edit; `new` for one to come. */
  id: number | 'new';
  onClose: () => void;
}

/**
 * The form of a stock item, over the page. Cancel gives up what was typed; closing the window by Escape or its cross keeps
 * it for the next time.
 */
export function StockItemForm({ id, onClose }: ItemFormProps) {
  const { t } = useTranslation();
  const item = useServerData<{ data: StockDocument }>(`stock/${id}`, {}, { enabled: id !== 'new' });
  const [opened, setOpened] = useState(id === 'new' ? blankItem : null);
  // The form begins with what the server says now; what comes later must not change it under somebody's hands.
  if (!opened && item.value && !item.isBusy) setOpened(draftOf(item.value.data));
  if (opened) return <OpenForm id={id} opened={opened} onClose={onClose} />;
  return (
    <FullDialog
      title={t('stock.form.editTitle')}
      closeLabel={t('stock.form.close')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('form.cancel')}</Button>}
    >
      <Flex direction="column" gap="4" maxWidth="64rem" mx="auto" p="8">
        {item.fault ? <NoAnswer data={item} /> : [1, 2, 3, 4].map((row) => <Skeleton key={row} height="12" />)}
      </Flex>
    </FullDialog>
  );
}

function OpenForm({ id, opened, onClose }: ItemFormProps & { opened: ItemDraft }) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useDraftForm<ItemDraft>({ name: `stock:${id}`, initial: opened, problemsOf: itemProblems });
  const { isSubmitting } = form.formState;
  const isNew = id === 'new';
  const { save, upload } = useSavePictured({
    path: 'stock',
    id,
    form,
    bodyOf: itemBody,
    done: (name) => t(isNew ? 'stock.form.created' : 'stock.form.updated', { name }),
    failed: t(isNew ? 'stock.form.createFailed' : 'stock.form.updateFailed'),
  });
  async function giveUp() {
    await form.forget();
    onClose();
  }
  async function submit(draft: ItemDraft) {
    if (await save(draft)) await giveUp();
  }
  return (
    <FullDialog
      title={t(isNew ? 'stock.form.createTitle' : 'stock.form.editTitle')}
      closeLabel={t('stock.form.close')}
      onClose={() => !isSubmitting && onClose()}
      actions={<DraftActions formId={formId} isNew={isNew} isRunning={isSubmitting} submitLabel={t(isNew ? 'stock.form.create' : 'stock.form.update')} onCancel={giveUp} />}
    >
      <chakra.form
        id={formId}
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
        display="flex"
        flexDirection="column"
        maxWidth="64rem"
        mx="auto"
        px={{ base: '4', md: '8' }}
        pt="2"
        pb="12"
      >
        <chakra.div pt={form.wasRestored ? '4' : '0'}>
          <RestoredNote form={form} />
        </chakra.div>
        <IdentityFields form={form} upload={upload} disabled={isSubmitting} />
        <LevelFields form={form} />
        <SupplierFields form={form} />
        <AvailabilityFields form={form} />
      </chakra.form>
    </FullDialog>
  );
}
