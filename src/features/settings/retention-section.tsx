import { useTranslation } from 'react-i18next';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { asNumber } from '../../forms/draft-form.ts';
import type { DraftForm } from '../../forms/draft-form.ts';
import { FormSection } from '../../forms/form-section.tsx';
import { TextField } from '../../ui/text-field.tsx';

const fields = ['patient_retention_years', 'tablet_keep_days'] as const;

/** How long data of patients stay on the server and on tablets. */
export function RetentionSection({ form: { register, errorOf } }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('settings.retention.title')} text={t('settings.retention.text')}>
      {fields.map((field) => (
        <TextField
          key={field}
          label={t(`settings.fields.${field}`)}
          hint={t(`settings.hints.${field}`)}
          type="number"
          inputMode="numeric"
          step="1"
          min="0"
          error={errorOf(field)}
          {...register(field, asNumber)}
        />
      ))}
    </FormSection>
  );
}
