import { useTranslation } from 'react-i18next';
import { currencyLabel } from '../../../../domain/money.ts';
import { asNumber } from '../../../forms/draft-form.ts';
import type { DraftForm } from '../../../forms/draft-form.ts';
import type { Upload } from '../../../api/upload.ts';
import { useCurrency } from '../../../device/use-clinic-settings.ts';
import { FormSection, WholeRow } from '../../../forms/form-section.tsx';
import { CheckField } from '../../../ui/check-field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { CounterFields } from '../form/catalogue-fields.tsx';
import type { ProductFormDraft } from './product-draft.ts';

interface FieldsProps {
  form: DraftForm<ProductFormDraft>;
}

export function ProductFields({ form, upload }: FieldsProps & { upload: Upload }) {
  const { t } = useTranslation();
  const { register, errorOf } = form;
  const currency = currencyLabel(useCurrency());
  return (
    <FormSection title={t('services.form.service.title')} text={t('services.form.service.text')}>
      <TextField
        label={t('stock.fields.name')}
        error={errorOf('name')}
        maxLength={200}
        autoComplete="off"
        {...register('name')}
      />
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
        <TextArea
          label={t('services.fields.description')}
          rows={3}
          error={errorOf('description')}
          {...register('description')}
        />
      </WholeRow>
      <CounterFields form={form} upload={upload} />
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
