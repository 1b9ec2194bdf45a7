import { chakra } from '@chakra-ui/react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { percentForm } from '#domain/decimal.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { rateCodes } from '#domain/tax/codes.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { FormNumberField } from '#src/forms/number-field.tsx';
import { TaxProfileFields } from '#src/forms/tax-profile-fields.tsx';
import { Button } from '#src/ui/button.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { FormDateField } from '#src/forms/date-field.tsx';

interface TaxFormProps {
  form: DraftForm<ClinicSettings>;
}

/** Which law documents follow, who issues them, and the rates. Without a profile only the choice shows. */
export function TaxSection({ form }: TaxFormProps) {
  const { t } = useTranslation();
  const { errorOf, watch } = form;
  const isTaxed = watch('tax_profile') !== 'none';
  return (
    <FormSection anchor="tax" title={t('tax.settings.title')} text={isTaxed ? t('tax.settings.text') : undefined}>
      <TaxProfileFields form={form} />
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

/** The rates of one name, with the day from which each applies. */
function RateFields({ form, index }: TaxFormProps & { index: number }) {
  const { t } = useTranslation();
  const { control } = form;
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
            <FormDateField form={form} name={`${name}.${at}.from`} label={t('tax.settings.from')} />
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
