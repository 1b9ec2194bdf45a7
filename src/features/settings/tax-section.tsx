import { chakra } from '@chakra-ui/react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { percentForm } from '../../../domain/decimal.ts';
import { territoryOf } from '../../../domain/tax/domicile.ts';
import { normalTaxId } from '../../../domain/tax/tax-id.ts';
import { taxProfiles } from '../../../domain/tax/profile.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { rateCodes } from '../../../domain/tax/codes.ts';
import type { DraftForm } from '../../forms/draft-form.ts';
import { FormSection, WholeRow } from '../../forms/form-section.tsx';
import { FormNumberField } from '../../forms/number-field.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { StyledButton } from '../../ui/styled.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface TaxFormProps {
  form: DraftForm<ClinicSettings>;
}

/** Which law documents follow, who issues them, and the rates. Without a profile only the choice shows. */
export function TaxSection({ form }: TaxFormProps) {
  const { t } = useTranslation();
  const { register, errorOf, watch } = form;
  const isTaxed = watch('tax_profile') !== 'none';
  return (
    <FormSection anchor="tax" title={t('tax.settings.title')} text={isTaxed ? t('tax.settings.text') : undefined}>
      <WholeRow>
        <SelectField
          label={t('tax.settings.profile')}
          hint={isTaxed ? t('tax.settings.profileHint') : undefined}
          options={taxProfiles.map((value) => ({ value, label: t(`tax.settings.profiles.${value}`) }))}
          error={errorOf('tax_profile')}
          {...register('tax_profile')}
        />
      </WholeRow>
      {isTaxed && <IssuerFields form={form} />}
      {isTaxed && rateCodes.map((_code, index) => <RateFields key={index} form={form} index={index} />)}
      {isTaxed && errorOf('tax_rates') && (
        <WholeRow>
          <chakra.p role="alert" color="fg.error" fontSize="sm">
            {errorOf('tax_rates')}
          </chakra.p>
        </WholeRow>
      )}
    </FormSection>
  );
}

function IssuerFields({ form: { register, errorOf, watch } }: TaxFormProps) {
  const { t } = useTranslation();
  const territory = territoryOf(watch('postal_code'));
  return (
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
  );
}

/** The rates of one name, with the day from which each applies. */
function RateFields({ form, index }: TaxFormProps & { index: number }) {
  const { t } = useTranslation();
  const { control, register } = form;
  const name = `tax_rates.${index}.rates` as const;
  const { fields, append, remove } = useFieldArray({ control, name });
  const title = t(`tax.codes.${rateCodes[index]!}`);
  return (
    <WholeRow>
      <chakra.fieldset display="grid" gap="3">
        <chakra.legend fontWeight="medium" mb="2">
          {title}
        </chakra.legend>
        {fields.map(({ id }, at) => (
          <chakra.div key={id} display="grid" gridTemplateColumns="1fr 1fr auto" gap="3" alignItems="end">
            <TextField label={t('tax.settings.from')} type="date" {...register(`${name}.${at}.from`)} />
            <FormNumberField
              form={form}
              name={`${name}.${at}.percent`}
              kind={percentForm}
              unit="%"
              label={t('tax.settings.percent')}
            />
            <Button
              variant="quiet"
              disabled={fields.length === 1}
              aria-label={t('tax.settings.removeRate', { name: title })}
              onClick={() => remove(at)}
            >
              {t('tax.settings.remove')}
            </Button>
          </chakra.div>
        ))}
        <StyledButton justifySelf="start" onClick={() => append({ from: '', percent: 0 })}>
          {t('tax.settings.addRate')}
        </StyledButton>
      </chakra.fieldset>
    </WholeRow>
  );
}
