import { useTranslation } from 'react-i18next';
import { useDraftForm } from '../../../forms/draft-form.ts';
import { FormOfStored, FormOverPage } from '../form/full-screen-form.tsx';
import { useSavePictured } from '../form/use-save-with-picture.ts';
import { blankItem, draftOf, itemBody, itemProblems } from './item-draft.ts';
import type { ItemDraft } from './item-draft.ts';
import { AvailabilityFields, IdentityFields, LevelFields, SupplierFields } from './item-fields.tsx';

interface ItemFormProps {
  /** The item to edit; `new` for one to come. */
  id: number | 'new';
  onClose: () => void;
}

export function StockItemForm(props: ItemFormProps) {
  const { t } = useTranslation();
  return (
    <FormOfStored path="stock" blank={blankItem} draftOf={draftOf} title={t('stock.form.editTitle')} {...props}>
      {(opened) => <OpenForm opened={opened} {...props} />}
    </FormOfStored>
  );
}

function OpenForm({ id, opened, onClose }: ItemFormProps & { opened: ItemDraft }) {
  const { t } = useTranslation();
  const form = useDraftForm<ItemDraft>({ name: `stock:${id}`, initial: opened, problemsOf: itemProblems });
  const isNew = id === 'new';
  const { save, upload } = useSavePictured({
    path: 'stock',
    id,
    form,
    bodyOf: itemBody,
    done: (name) => t(isNew ? 'stock.form.created' : 'stock.form.updated', { name }),
    failed: t(isNew ? 'stock.form.createFailed' : 'stock.form.updateFailed'),
  });
  return (
    <FormOverPage
      form={form}
      title={t(isNew ? 'stock.form.createTitle' : 'stock.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'stock.form.create' : 'stock.form.update')}
      save={save}
      onClose={onClose}
    >
      <IdentityFields form={form} upload={upload} />
      <LevelFields form={form} />
      <SupplierFields form={form} />
      <AvailabilityFields form={form} />
    </FormOverPage>
  );
}
