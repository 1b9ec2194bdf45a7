import { useTranslation } from 'react-i18next';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { territoryOf } from '#domain/tax/domicile.ts';
import { taxProfiles } from '#domain/tax/profile.ts';
import { normalTaxId } from '#domain/tax/tax-id.ts';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { DraftForm } from './draft-form.ts';
import { WholeRow } from './form-section.tsx';

/** What a form with these fields edits. */
export type TaxProfileDraft = Pick<ClinicSettings, 'tax_profile' | 'legal_name' | 'tax_id' | 'postal_code' | 'city'>;

/** Which law documents follow and, with one, who issues them. */
export function TaxProfileFields<Draft extends TaxProfileDraft>({ form }: { form: DraftForm<Draft> }) {
  const { t } = useTranslation();
  const { register, errorOf, watch } = form as unknown as DraftForm<TaxProfileDraft>;
  const isTaxed = watch('tax_profile') !== 'none';
  const territory = territoryOf(watch('postal_code'));
  return (
    <>
      <WholeRow>
        <SelectField
          label={t('tax.settings.profile')}
          hint={isTaxed ? t('tax.settings.profileHint') : undefined}
          options={taxProfiles.map((value) => ({ value, label: t(`tax.settings.profiles.${value}`) }))}
          error={errorOf('tax_profile')}
          {...register('tax_profile')}
        />
      </WholeRow>
      {isTaxed && (
        <>
          <TextField
            label={t('tax.settings.legalName')}
            hint={t('tax.settings.legalNameHint')}
            error={errorOf('legal_name')}
            {...register('legal_name')}
          />
          <TextField
            label={t('tax.settings.taxId')}
            hint={t('tax.settings.taxIdHint')}
            error={errorOf('tax_id')}
            {...register('tax_id', { setValueAs: normalTaxId })}
          />
          <TextField
            label={t('tax.settings.postalCode')}
            hint={territory === 'common' ? undefined : t(`tax.settings.territories.${territory}`)}
            inputMode="numeric"
            error={errorOf('postal_code')}
            {...register('postal_code')}
          />
          <TextField label={t('tax.settings.city')} error={errorOf('city')} {...register('city')} />
        </>
      )}
    </>
  );
}
