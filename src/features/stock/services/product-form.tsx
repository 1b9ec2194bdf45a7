import { chakra, Flex } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProductDocument } from '../../../../domain/stock/documents.ts';
import { useDraftForm } from '../../../app/draft-form.ts';
import { NoAnswer } from '../../../app/no-answer.tsx';
import { useServerData } from '../../../app/server-data.ts';
import { Button } from '../../../ui/button.tsx';
import { FullDialog } from '../../../ui/full-dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { focusFirstWrong } from '../focus-first-wrong.ts';
import { DraftActions } from '../../../parts/draft-actions.tsx';
import { RestoredNote } from '../../../parts/restored-note.tsx';
import { IngredientFields } from './ingredient-fields.tsx';
import { OfferFields, ProductFields } from './product-fields.tsx';
import { useSavePictured } from '../use-save-pictured.ts';
import { blankProduct, draftOf, productBody, productFormProblems } from './product-form-draft.ts';
import type { ProductFormDraft } from './product-form-draft.ts';

interface ProductFormProps {
  /** The service to edit; `new` for one to come. */
  id: number | 'new';
  onClose: () => void;
}

/** The form of a service, over the page. Cancel gives up what was typed; closing the window otherwise keeps it for the next time. */
export function ProductForm({ id, onClose }: ProductFormProps) {
  const { t } = useTranslation();
  const product = useServerData<{ data: ProductDocument }>(`products/${id}`, {}, { enabled: id !== 'new' });
  const [opened, setOpened] = useState(id === 'new' ? blankProduct : null);
  // The form begins with what the server says now; what comes later must not change it under somebody's hands.
  if (!opened && product.value && !product.isBusy) setOpened(draftOf(product.value.data));
  if (opened) return <OpenForm id={id} opened={opened} onClose={onClose} />;
  return (
    <FullDialog
      title={t('services.form.editTitle')}
      closeLabel={t('stock.form.close')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('form.cancel')}</Button>}
    >
      <Flex direction="column" gap="4" maxWidth="64rem" mx="auto" p="8">
        {product.fault ? <NoAnswer data={product} /> : [1, 2, 3, 4].map((row) => <Skeleton key={row} height="12" />)}
      </Flex>
    </FullDialog>
  );
}

function OpenForm({ id, opened, onClose }: ProductFormProps & { opened: ProductFormDraft }) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useDraftForm<ProductFormDraft>({ name: `product:${id}`, initial: opened, problemsOf: productFormProblems });
  const { isSubmitting } = form.formState;
  const isNew = id === 'new';
  const { save, upload } = useSavePictured({
    path: 'products',
    id,
    form,
    bodyOf: productBody,
    done: (name) => t(isNew ? 'services.created' : 'services.updated', { name }),
    failed: t(isNew ? 'services.createFailed' : 'services.updateFailed'),
  });
  async function giveUp() {
    await form.forget();
    onClose();
  }
  async function submit(draft: ProductFormDraft) {
    if (await save(draft)) await giveUp();
  }
  return (
    <FullDialog
      title={t(isNew ? 'services.form.createTitle' : 'services.form.editTitle')}
      closeLabel={t('stock.form.close')}
      onClose={() => !isSubmitting && onClose()}
      actions={<DraftActions formId={formId} isNew={isNew} isRunning={isSubmitting} submitLabel={t(isNew ? 'services.form.create' : 'services.form.update')} onCancel={giveUp} />}
    >
      <chakra.form
        id={formId}
        noValidate
        onSubmit={(event) => void form.handleSubmit(submit, () => focusFirstWrong(formId))(event)}
        display="flex"
        flexDirection="column"
        maxWidth="64rem"
        mx="auto"
        px={{ base: '4', md: '8' }}
        pt="2"
        pb="12"
      >
        {form.wasRestored && (
          <chakra.div pt="4">
            <RestoredNote form={form} />
          </chakra.div>
        )}
        <ProductFields form={form} upload={upload} disabled={isSubmitting} />
        <IngredientFields form={form} />
        <OfferFields form={form} />
      </chakra.form>
    </FullDialog>
  );
}
