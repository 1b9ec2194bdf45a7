import { useTranslation } from 'react-i18next';
import { businessDay } from '#domain/business-day.ts';
import { boundSince } from '#domain/settings/obligation.ts';
import { territoryOf } from '#domain/tax/domicile.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { useMinute } from '#src/formats/clock.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useDeclaration } from '#src/server-data/fiscal.ts';
import { useIsDemo } from '#src/server-data/settings.ts';
import { Banner } from '#src/ui/banner.tsx';
import { CheckField } from '#src/ui/check-field.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { FormDateField } from '#src/forms/date-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';

interface VerifactuSectionProps {
  form: DraftForm<ClinicSettings>;
  saved: ClinicSettings;
}

/** When records are sent to the tax agency, and what they say was sold. */
export function VerifactuSection({ form, saved }: VerifactuSectionProps) {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const { register, errorOf, watch } = form;
  const declaration = useDeclaration();
  const isDemo = useIsDemo();
  const territory = territoryOf(watch('postal_code'));
  const boundDay = boundSince({
    tax_profile: watch('tax_profile'),
    tax_id: watch('tax_id'),
    postal_code: watch('postal_code'),
    books_by_sii: watch('books_by_sii'),
  });
  const since = watch('verifactu_since');
  const until = watch('verifactu_until');
  const today = businessDay(useMinute(), saved.time_zone);
  const { verifactu_since: savedSince, verifactu_until: savedUntil } = saved;
  const isOver = savedUntil !== '' && savedUntil < today;
  const isRunning = savedSince !== '' && savedSince <= today && !isOver;
  const isRefused = isDemo || territory === 'basque';
  return (
    <FormSection anchor="verifactu" title={t('verifactu.title')} text={t('verifactu.text')}>
      <WholeRow>
        <Banner tone={isRefused ? 'due' : 'neutral'}>
          {isDemo
            ? t('verifactu.demo')
            : territory === 'common'
              ? t('verifactu.untried')
              : t(`tax.settings.territories.${territory}`)}
        </Banner>
      </WholeRow>
      {boundDay !== null && savedSince === '' && (
        <WholeRow>
          <Banner tone={boundDay <= today ? 'refused' : 'due'} title={t('verifactu.bound', { day: day(boundDay) })}>
            {t(boundDay <= today ? 'verifactu.stoppedText' : 'verifactu.boundText')}
          </Banner>
        </WholeRow>
      )}
      {declaration.value && !declaration.value.data.is_signed && (
        <WholeRow>
          <Banner tone="due" title={t('verifactu.unsigned')}>
            {t('verifactu.unsignedText', { producer: declaration.value.data.producer.name || t('verifactu.nobody') })}
          </Banner>
        </WholeRow>
      )}
      <FormDateField
        form={form}
        name="verifactu_since"
        label={t('verifactu.since')}
        // What has begun is shown, and cannot be changed.
        readOnly={isRunning || (isRefused && since === '')}
        min={isRunning ? undefined : today}
        hint={t(isRunning ? 'verifactu.sinceRunning' : 'verifactu.sinceHint')}
        error={errorOf('verifactu_since')}
      />
      <SelectField
        label={t('verifactu.until')}
        hint={t('verifactu.untilHint')}
        options={[
          { value: '', label: t('verifactu.stays') },
          ...yearEnds([since, today], until).map((value) => ({ value, label: day(value) })),
        ]}
        error={errorOf('verifactu_until')}
        {...register('verifactu_until')}
      />
      <WholeRow>
        <CheckField label={t('verifactu.sii')} hint={t('verifactu.siiHint')} {...register('books_by_sii')} />
      </WholeRow>
      <WholeRow>
        <TextField
          label={t('verifactu.description')}
          hint={t('verifactu.descriptionHint')}
          maxLength={500}
          error={errorOf('operation_description')}
          {...register('operation_description')}
        />
      </WholeRow>
    </FormSection>
  );
}

const yearsAhead = 3;

/** Returns the year ends to choose from: the first ones after these days, and the one that is chosen. */
function yearEnds(days: readonly string[], chosen: string): string[] {
  const [first] = days.map((day) => Number(day.slice(0, 4))).toSorted((a, b) => b - a);
  const ends = Array.from({ length: yearsAhead }, (_, index) => `${first! + index}-12-31`);
  return chosen === '' || ends.includes(chosen) ? ends : [chosen, ...ends];
}
