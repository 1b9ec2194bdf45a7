import { useTranslation } from 'react-i18next';
import { currencyLabel } from '../../../../domain/money.ts';
import type { CategoryDocument } from '../../../../domain/stock/documents.ts';
import { asNumber } from '../../../app/draft-form.ts';
import type { DraftForm } from '../../../app/draft-form.ts';
import { useServerData } from '../../../app/server-data.ts';
import type { Upload } from '../../../app/upload.ts';
import { useCurrency } from '../../../app/use-clinic-settings.ts';
import { FormSection, WholeRow } from '../../../parts/form-section.tsx';
import { ImageField } from '../../../parts/image-field.tsx';
import { CheckField } from '../../../ui/check-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { ProductFormDraft } from './product-form-draft.ts';

interface FieldsProps {
  form: DraftForm<ProductFormDraft>;
}

export function ProductFields({ form, upload, disabled }: FieldsProps & { upload: Upload; disabled: boolean }) {
  const { t } = useTranslation();
  const { register, errorOf, setValue, watch } = form;
  const [category, picture, imageUrl] = watch(['category_id', 'picture', 'image_url']);
  const categories = useServerData<{ data: CategoryDocument[] }>('categories').value?.data ?? [];
  const currency = currencyLabel(useCurrency());
  function show(next: File | null) {
    upload.forget();
    setValue('picture', next, { shouldDirty: true });
    setValue('image_url', null, { shouldDirty: true });
  }
  return (
    <FormSection title={t('services.form.service.title')} text={t('services.form.service.text')}>
      <TextField label={t('stock.fields.name')} error={errorOf('name')} maxLength={200} autoComplete="off" {...register('name')} />
      <TextField
        label={t('services.fields.price')}
        type="number"
        inputMode="decimal"
        min={0}
        step={0.01}
        autoComplete="off"
        hint={t('services.form.priceHint', { currency })}
        error={errorOf('price')}
        {...register('price', asNumber)}
      />
      <WholeRow>
        <TextArea label={t('services.fields.description')} rows={3} error={errorOf('description')} {...register('description')} />
      </WholeRow>
      <SelectField
        label={t('stock.fields.category')}
        value={category ?? ''}
        onChange={({ target }) => setValue('category_id', target.value ? Number(target.value) : null, { shouldDirty: true })}
        options={[{ value: '', label: t('stock.form.noCategory') }, ...categories.map(({ id, name }) => ({ value: String(id), label: name }))]}
        error={errorOf('category_id')}
      />
      <TextField
        label={t('stock.fields.barcode')}
        hint={t('stock.form.barcodeHint')}
        error={errorOf('barcode')}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        // A scanner ends with Enter, which is not meant for the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        {...register('barcode', { setValueAs: (text: string | null) => text?.trim() || null })}
      />
      <ImageField
        label={t('stock.fields.picture')}
        hint={t('stock.form.pictureHint')}
        purpose="picture"
        file={picture}
        kept={imageUrl ? { name: t('stock.form.keptPicture'), picture: imageUrl } : null}
        onChoose={show}
        onRemove={() => show(null)}
        error={upload.error ?? errorOf('image_url')}
        disabled={disabled}
      />
    </FormSection>
  );
}

export function OfferFields({ form: { register } }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('services.form.offer.title')} text={t('services.form.offer.text')}>
      <CheckField label={t('stock.fields.available')} hint={t('stock.form.availableHint')} {...register('is_available')} />
    </FormSection>
  );
}
