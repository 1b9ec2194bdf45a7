import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { itemTaxCodes } from '#domain/tax/codes.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { SelectField } from '#src/ui/select-field.tsx';

/** The tax of an item; nothing in a clinic without a tax profile. */
export function TaxField(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'options'>) {
  const { t } = useTranslation();
  const { tax_profile } = useClinicSettings();
  if (tax_profile === 'none') return null;
  return (
    <SelectField
      label={t('tax.code.label')}
      hint={t('tax.code.hint')}
      options={itemTaxCodes.map((value) => ({ value, label: t(`tax.codes.${value}`) }))}
      {...props}
    />
  );
}
