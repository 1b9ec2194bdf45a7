import { useTranslation } from 'react-i18next';
import { useDraftForm } from '../../../forms/draft-form.ts';
import { FormOfStored, FormOverPage } from '../form/full-screen-form.tsx';
import { useSavePictured } from '../form/use-save-with-picture.ts';
import { IngredientFields } from './ingredient-fields.tsx';
import { OfferFields, ProductFields } from './product-fields.tsx';
import { blankProduct, draftOf, productBody, productFormProblems } from './product-draft.ts';
import type { ProductFormDraft } from './product-draft.ts';

interface ProductFormProps {
  /** The service to edit; `new` for one to come. */
  id: number | 'new';
  onClose: () => void;
}

export function ProductForm(props: ProductFormProps) {
  const { t } = useTranslation();
  return (
    <FormOfStored
      path="products"
      blank={blankProduct}
      draftOf={draftOf}
      title={t('services.form.editTitle')}
      {...props}
    >
      {(opened) => <OpenForm opened={opened} {...props} />}
    </FormOfStored>
  );
}

function OpenForm({ id, opened, onClose }: ProductFormProps & { opened: ProductFormDraft }) {
  const { t } = useTranslation();
  const form = useDraftForm<ProductFormDraft>({
    name: `product:${id}`,
    initial: opened,
    problemsOf: productFormProblems,
  });
  const isNew = id === 'new';
  const { save, upload } = useSavePictured({
    path: 'products',
    id,
    form,
    bodyOf: productBody,
    done: (name) => t(isNew ? 'services.created' : 'services.updated', { name }),
    failed: t(isNew ? 'services.createFailed' : 'services.updateFailed'),
  });
  return (
    <FormOverPage
      form={form}
      title={t(isNew ? 'services.form.createTitle' : 'services.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'services.form.create' : 'services.form.update')}
      save={save}
      onClose={onClose}
    >
      <ProductFields form={form} upload={upload} />
      <IngredientFields form={form} />
      <OfferFields form={form} />
    </FormOverPage>
  );
}
