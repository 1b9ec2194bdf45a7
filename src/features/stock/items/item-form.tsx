import { useTranslation } from 'react-i18next';
import { stockProblems } from '#domain/stock/drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { stockUnits } from '#domain/stock/vocabulary.ts';
import { useStockItem } from '#src/server-data/catalogue.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import type { EditedRecord } from '#src/forms/edited-record.ts';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import type { Upload } from '#src/api/use-upload.ts';
import { FormSection } from '#src/forms/form-section.tsx';
import { CheckField } from '#src/ui/check-field.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { FormDateField } from '#src/forms/date-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { FormMoneyField } from '#src/forms/money-field.tsx';
import { QuantityField } from '#src/forms/quantity-field.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { RecordForm } from '../form/record-form.tsx';
import { useCatalogueViews } from '../form/use-catalogue-views.ts';
import { useSaveWithPicture } from '../form/use-save-with-picture.ts';
import { CatalogueFields } from '../form/catalogue-fields.tsx';
import { TaxField } from '../form/tax-field.tsx';
import { blankItem, draftOf, itemBody, itemNames } from './item-draft.ts';
import type { ItemDraft } from './item-draft.ts';

interface ItemFormProps {
  /** The item to edit, or `new` to create one. */
  id: number | 'new';
  onClose: () => void;
}

export function StockItemForm(props: ItemFormProps) {
  const { t } = useTranslation();
  return (
    <RecordForm record={useStockItem(props.id)} title={t('stock.form.editTitle')} {...props}>
      {(item, over) => <LoadedForm item={item} over={over} {...props} />}
    </RecordForm>
  );
}

function LoadedForm({
  id,
  item,
  over,
  onClose,
}: ItemFormProps & { item: StockResource | 'new'; over: string | undefined }) {
  const { t } = useTranslation();
  const views = useItemViews();
  const form = useDraftForm<ItemDraft>({
    name: `stock:${id}`,
    initial: blankItem,
    record: edited<StockResource, ItemDraft>(item, {
      draftOf,
      bodyOf: itemBody,
      names: itemNames,
      views,
    }),
    problemsOf: stockProblems,
  });
  const isNew = id === 'new';
  const { save, upload } = useSaveWithPicture({
    path: 'stock',
    id,
    form,
    bodyOf: itemBody,
    done: (name) => t(isNew ? 'stock.form.created' : 'stock.form.updated', { name }),
    failed: t(isNew ? 'stock.form.createFailed' : 'stock.form.updateFailed'),
  });
  return (
    <FullScreenForm
      form={form}
      title={t(isNew ? 'stock.form.createTitle' : 'stock.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'stock.form.create' : 'stock.form.update')}
      save={save}
      over={over}
      onClose={onClose}
    >
      <IdentityFields form={form} upload={upload} />
      <LevelFields form={form} />
      {form.watch('is_stocked') && <SupplierFields form={form} />}
      <AvailabilityFields form={form} />
    </FullScreenForm>
  );
}

/** Returns how the form shows its fields in a sentence. */
function useItemViews(): EditedRecord<ItemDraft>['views'] {
  const { t } = useTranslation();
  const texts = useFieldTexts();
  const unitName = useUnitName();
  return {
    ...useCatalogueViews(),
    unit: { label: t('stock.fields.unit'), text: unitName },
    quantity: { label: t('stock.fields.quantity'), text: texts.quantity },
    low_stock_threshold: { label: t('stock.fields.threshold'), text: texts.quantity },
    reserved_quantity: { label: t('stock.fields.reserved'), text: texts.quantity },
    cost_per_unit: { label: t('stock.fields.cost'), text: texts.money },
    restocked_on: { label: t('stock.fields.restocked'), text: texts.day },
    supplier: { label: t('stock.fields.supplier') },
    supplier_contact: { label: t('stock.fields.supplierContact') },
  };
}

interface FieldsProps {
  form: DraftForm<ItemDraft>;
}

export function IdentityFields({ form, upload }: FieldsProps & { upload: Upload }) {
  const { t } = useTranslation();
  const { register, errorOf } = form;
  return (
    <FormSection title={t('stock.form.identity.title')} text={t('stock.form.identity.text')}>
      <TextField
        label={t('stock.fields.name')}
        error={errorOf('name')}
        maxLength={200}
        autoComplete="off"
        {...register('name')}
      />
      <CatalogueFields form={form} upload={upload} />
    </FormSection>
  );
}

export function LevelFields({ form }: FieldsProps) {
  const { t } = useTranslation();
  const unitName = useUnitName();
  const { register, errorOf, watch, formState } = form;
  const [unit, isStocked] = watch(['unit', 'is_stocked']);
  const unlisted = formState.defaultValues?.unit;
  const units: string[] =
    unlisted && !(stockUnits as readonly string[]).includes(unlisted) ? [...stockUnits, unlisted] : [...stockUnits];
  return (
    <FormSection title={t('stock.form.level.title')} text={t('stock.form.level.text')}>
      {isStocked && (
        <>
          <QuantityField
            form={form}
            name="quantity"
            unit={unit}
            label={t('stock.fields.quantity')}
            error={errorOf('quantity')}
          />
          <SelectField
            label={t('stock.fields.unit')}
            error={errorOf('unit')}
            options={[
              { value: '', label: t('stock.form.chooseUnit') },
              ...units.map((each) => ({ value: each, label: unitName(each) })),
            ]}
            {...register('unit')}
          />
          <QuantityField
            form={form}
            name="low_stock_threshold"
            unit={unit}
            label={t('stock.fields.threshold')}
            hint={t('stock.form.thresholdHint')}
            error={errorOf('low_stock_threshold')}
          />
          <QuantityField
            form={form}
            name="reserved_quantity"
            unit={unit}
            label={t('stock.fields.reserved')}
            hint={t('stock.form.reservedHint')}
            error={errorOf('reserved_quantity')}
          />
        </>
      )}
      <FormMoneyField
        form={form}
        name="cost_per_unit"
        label={t(isStocked ? 'stock.fields.cost' : 'services.fields.price')}
        hint={isStocked ? t('stock.form.costHint') : undefined}
        error={errorOf('cost_per_unit')}
      />
      <TaxField {...register('tax')} />
      {isStocked && <FormDateField form={form} name="restocked_on" label={t('stock.fields.restocked')} />}
    </FormSection>
  );
}

export function SupplierFields({ form: { register, errorOf } }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('stock.form.supplier.title')} text={t('stock.form.supplier.text')}>
      <TextField
        label={t('stock.fields.supplier')}
        error={errorOf('supplier')}
        maxLength={200}
        autoComplete="off"
        {...register('supplier')}
      />
      <TextField
        label={t('stock.fields.supplierContact')}
        hint={t('stock.form.supplierContactHint')}
        error={errorOf('supplier_contact')}
        maxLength={200}
        autoComplete="off"
        {...register('supplier_contact')}
      />
    </FormSection>
  );
}

export function AvailabilityFields({ form: { register, watch } }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('stock.form.use.title')} text={t('stock.form.use.text')}>
      <CheckField
        label={t('stock.fields.available')}
        hint={t('stock.form.availableHint')}
        {...register('is_available')}
      />
      <CheckField label={t('stock.fields.stocked')} hint={t('stock.form.stockedHint')} {...register('is_stocked')} />
      <CheckField
        label={t('services.fields.needsPreparation')}
        hint={t('services.form.needsPreparationHint')}
        {...register('needs_preparation')}
      />
      {watch('is_stocked') && (
        <CheckField
          label={t('stock.fields.tracksLots')}
          hint={t('stock.form.tracksLotsHint')}
          {...register('tracks_lots')}
        />
      )}
    </FormSection>
  );
}
