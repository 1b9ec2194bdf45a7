import { useTranslation } from 'react-i18next';
import { wholeForm } from '#domain/decimal.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FormSection } from '#src/forms/form-section.tsx';
import { FormNumberField } from '#src/forms/number-field.tsx';

const fields = ['patient_retention_years', 'tablet_keep_days'] as const;

/** How long data of patients stay on the server and on tablets. */
export function RetentionSection({ form }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  return (
    <FormSection anchor="retention" title={t('settings.retention.title')} text={t('settings.retention.text')}>
      {fields.map((field) => (
        <FormNumberField
          key={field}
          form={form}
          name={field}
          kind={wholeForm}
          step={1}
          label={t(`settings.fields.${field}`)}
          hint={t(`settings.hints.${field}`)}
          error={form.errorOf(field)}
        />
      ))}
    </FormSection>
  );
}
