import { useTranslation } from 'react-i18next';
import { wholeForm } from '../../../domain/decimal.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { DraftForm } from '../../forms/draft-form.ts';
import { FormSection } from '../../forms/form-section.tsx';
import { NumberField } from '../../forms/number-field.tsx';
import { useTypedNumber } from '../../forms/use-typed-number.ts';

const fields = ['patient_retention_years', 'tablet_keep_days'] as const;

/** How long data of patients stay on the server and on tablets. */
export function RetentionSection({ form }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('settings.retention.title')} text={t('settings.retention.text')}>
      {fields.map((field) => (
        <TimeField key={field} form={form} field={field} />
      ))}
    </FormSection>
  );
}

function TimeField({ form, field }: { form: DraftForm<ClinicSettings>; field: (typeof fields)[number] }) {
  const { t } = useTranslation();
  const number = useTypedNumber(form, field, wholeForm);
  return (
    <NumberField
      label={t(`settings.fields.${field}`)}
      hint={t(`settings.hints.${field}`)}
      form={wholeForm}
      step={1}
      error={form.errorOf(field)}
      {...number}
    />
  );
}
