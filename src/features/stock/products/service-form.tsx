import { useTranslation } from 'react-i18next';
import { productProblems } from '#domain/stock/drafts.ts';
import type { ProductResource, ServiceResource, StockResource } from '#domain/stock/resources.ts';
import { useServiceRecord } from '#src/server-data/catalogue.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import type { EditedRecord } from '#src/forms/edited-record.ts';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import type { Upload } from '#src/api/use-upload.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { FormMoneyField } from '#src/forms/money-field.tsx';
import { useOpened } from '#src/navigation/use-opened.ts';
import { Button } from '#src/ui/button.tsx';
import { CheckField } from '#src/ui/check-field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { RecordForm } from '../form/record-form.tsx';
import { useCatalogueViews } from '../form/use-catalogue-views.ts';
import { useSaveWithPicture } from '../form/use-save-with-picture.ts';
import { CatalogueFields } from '../form/catalogue-fields.tsx';
import { TaxField } from '../form/tax-field.tsx';
import { IngredientFields } from './ingredient-fields.tsx';
import { blankService, draftOf, serviceBody } from './service-draft.ts';
import type { ServiceDraft } from './service-draft.ts';
import { priceFields, servicePaths } from './service-paths.ts';
import { useIngredientsText } from './use-ingredients-text.ts';

type StoredService = ProductResource | StockResource;

interface ServiceFormProps {
  /** What the service is stored as. A new one is a product. */
  type: ServiceResource['type'];
  /** The service to edit, or `new` to create one. */
  id: number | 'new';
  onClose: () => void;
}

export function ServiceForm(props: ServiceFormProps) {
  const { t } = useTranslation();
  return (
    <RecordForm
      record={useServiceRecord(servicePaths[props.type], props.id)}
      title={t('services.form.editTitle')}
      {...props}
    >
      {(service, over) => <LoadedForm service={service} over={over} {...props} />}
    </RecordForm>
  );
}

function LoadedForm({
  type,
  id,
  service,
  over,
  onClose,
}: ServiceFormProps & { service: StoredService | 'new'; over: string | undefined }) {
  const { t } = useTranslation();
  const stockItem = useOpened('item');
  const bodyOf = serviceBody(type);
  const views = useServiceViews();
  const form = useDraftForm<ServiceDraft>({
    name: `${type === 'product' ? 'product' : 'sold'}:${id}`,
    initial: blankService,
    record: edited<StoredService, ServiceDraft>(service, {
      draftOf,
      bodyOf,
      names: { price: priceFields[type] },
      views,
    }),
    problemsOf: productProblems,
  });
  const isNew = id === 'new';
  const { save, upload } = useSaveWithPicture({
    path: servicePaths[type],
    id,
    form,
    bodyOf,
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
      over={over}
      onClose={onClose}
      footer={
        type === 'stock' &&
        !isNew && (
          <Button variant="quiet" onClick={() => stockItem.open(id)}>
            {t('services.form.stock')}
          </Button>
        )
      }
    >
      <ServiceFields form={form} upload={upload} hasDescription={type === 'product'} />
      <OfferFields form={form} />
      {type === 'product' && <IngredientFields form={form} />}
    </FullScreenForm>
  );
}

/** Returns how the form shows its fields in a sentence. */
function useServiceViews(): EditedRecord<ServiceDraft>['views'] {
  const { t } = useTranslation();
  const texts = useFieldTexts();
  const ingredients = useIngredientsText();
  return {
    ...useCatalogueViews(),
    price: { label: t('services.fields.price'), text: texts.money },
    description: { label: t('services.fields.description') },
    ingredients: { label: t('services.form.ingredients.title'), text: ingredients },
  };
}

interface FieldsProps {
  form: DraftForm<ServiceDraft>;
}

function ServiceFields({ form, upload, hasDescription }: FieldsProps & { upload: Upload; hasDescription: boolean }) {
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
      <TaxField {...register('tax')} />
      <CatalogueFields form={form} upload={upload} />
      {hasDescription && (
        <WholeRow>
          <TextArea
            label={t('services.fields.description')}
            rows={2}
            error={errorOf('description')}
            {...register('description')}
          />
        </WholeRow>
      )}
    </FormSection>
  );
}

function OfferFields({ form: { register } }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('services.form.offer.title')} text={t('services.form.offer.text')}>
      <CheckField
        label={t('stock.fields.available')}
        hint={t('stock.form.availableHint')}
        {...register('is_available')}
      />
      <CheckField
        label={t('services.fields.favourite')}
        hint={t('services.form.favouriteHint')}
        {...register('is_favourite')}
      />
      <CheckField
        label={t('services.fields.needsPreparation')}
        hint={t('services.form.needsPreparationHint')}
        {...register('needs_preparation')}
      />
    </FormSection>
  );
}
