import { useTranslation } from 'react-i18next';
import { useDraftForm } from '../../../forms/draft-form.ts';
import type { DraftForm } from '../../../forms/draft-form.ts';
import type { Upload } from '../../../api/use-upload.ts';
import { FormSection, WholeRow } from '../../../forms/form-section.tsx';
import { CheckField } from '../../../ui/check-field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { FormMoneyField } from '../../../forms/money-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { RecordForm, FullScreenForm } from '../form/full-screen-form.tsx';
import { useSaveWithPicture } from '../form/use-save-with-picture.ts';
import { CatalogueFields } from '../form/catalogue-fields.tsx';
import { IngredientFields } from './ingredient-fields.tsx';
import { blankProduct, draftOf, productBody, productFormProblems } from './product-draft.ts';
import type { ProductFormDraft } from './product-draft.ts';

interface ProductFormProps {
  /** The product to edit, or `new` to create one. */
  id: number | 'new';
  onClose: () => void;
}

export function ProductForm(props: ProductFormProps) {
  const { t } = useTranslation();
  return (
    <RecordForm path="products" blank={blankProduct} draftOf={draftOf} title={t('services.form.editTitle')} {...props}>
      {(initial) => <LoadedForm initial={initial} {...props} />}
    </RecordForm>
  );
}

function LoadedForm({ id, initial, onClose }: ProductFormProps & { initial: ProductFormDraft }) {
  const { t } = useTranslation();
  const form = useDraftForm<ProductFormDraft>({
    name: `product:${id}`,
    initial,
    problemsOf: productFormProblems,
  });
  const isNew = id === 'new';
  const { save, upload } = useSaveWithPicture({
    path: 'products',
    id,
    form,
    bodyOf: productBody,
    done: (name) => t(isNew ? 'services.created' : 'services.updated', { name }),
    failed: t(isNew ? 'services.createFailed' : 'services.updateFailed'),
  });
  return (
    <FullScreenForm
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
    </FullScreenForm>
  );
}

interface FieldsProps {
  form: DraftForm<ProductFormDraft>;
}

export function ProductFields({ form, upload }: FieldsProps & { upload: Upload }) {
  const { t } = useTranslation();
  const { register, errorOf } = form;
  return (
    <FormSection title={t('services.form.service.title')} text={t('services.form.service.text')}>
      <TextField
        label={t('stock.fields.name')}
        error={errorOf('name')}
        maxLength={200}
        autoComplete="off"
        {...register('name')}
      />
      <FormMoneyField form={form} name="price" label={t('services.fields.price')} error={errorOf('price')} />
      <WholeRow>
        <TextArea
          label={t('services.fields.description')}
          rows={3}
          error={errorOf('description')}
          {...register('description')}
        />
      </WholeRow>
      <CatalogueFields form={form} upload={upload} />
    </FormSection>
  );
}

export function OfferFields({ form: { register } }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('services.form.offer.title')} text={t('services.form.offer.text')}>
      <CheckField
        label={t('stock.fields.available')}
        hint={t('stock.form.availableHint')}
        {...register('is_available')}
      />
    </FormSection>
  );
}
