import { useTranslation } from 'react-i18next';
import { languages } from '#domain/language.ts';
import { currencies } from '#domain/money.ts';
import type { Problems } from '#domain/problems.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { changeOf, changeRecord } from '#src/api/change-record.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { useSettingsViews } from '#src/forms/use-settings-views.ts';
import { WholeRow } from '#src/forms/form-section.tsx';
import { settingsPaths } from '#src/server-data/settings.ts';
import { TaxProfileFields } from '#src/forms/tax-profile-fields.tsx';
import type { TaxProfileDraft } from '#src/forms/tax-profile-fields.tsx';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { Fields, StepFrame } from './step-frame.tsx';
import type { StepProps } from './step-frame.tsx';

interface SettingsStepProps extends StepProps {
  settings: ClinicSettings;
}

/** Saves settings, and asks for them back at once: this device reads them from the feed. */
export function useSaveSettings(settings: ClinicSettings, failed: string) {
  return useServerCall(
    async (changes: Partial<ClinicSettings>, headers) => {
      await changeRecord('settings', changeOf(settings, changes), headers);
      requestSync('changes');
    },
    { refreshes: settingsPaths, failed },
  );
}

/** A form of some settings, which are saved when the step is done. */
function useSettingsStep<Name extends keyof ClinicSettings>(
  settings: ClinicSettings,
  names: readonly Name[],
  onDone: () => void,
) {
  const { t } = useTranslation();
  const draftOf = (stored: ClinicSettings) =>
    Object.fromEntries(names.map((name) => [name, ownValue(stored, name)])) as Pick<ClinicSettings, Name>;
  const form = useDraftForm<Pick<ClinicSettings, Name>>({
    name: `welcome:${names.join()}`,
    initial: draftOf(settings),
    record: edited<ClinicSettings, Pick<ClinicSettings, Name>>(settings, {
      draftOf,
      views: useSettingsViews(),
    }),
    problemsOf: (draft) => {
      const problems = settingsProblems({ ...settings, ...draft });
      return Object.fromEntries(names.map((name) => [name, problems[name]])) as Problems<Name>;
    },
  });
  const saving = useSaveRecord({
    form,
    path: 'settings',
    refreshes: settingsPaths,
    failed: t('settings.saveFailed'),
    onStored: () => requestSync('changes'),
  });
  const submit = form.handleSubmit(async (draft) => {
    if (!(await saving.save(draft))) return;
    await form.forget();
    onDone();
  });
  return { form, isBusy: saving.isRunning, submit: () => void submit() };
}

/** Returns a setting, without the name that every new clinic begins with. */
function ownValue(settings: ClinicSettings, name: keyof ClinicSettings) {
  const isFirstName = name === 'practice_name' && settings.practice_name === defaultSettings.practice_name;
  return isFirstName ? '' : settings[name];
}

/** Name, address and tax number, which every invoice has. */
export function ClinicStep({ settings, ...step }: SettingsStepProps) {
  const { t } = useTranslation();
  const { form, ...state } = useSettingsStep(
    settings,
    ['practice_name', 'address', 'tax_number', 'phone'] as const,
    step.onDone,
  );
  const field = (name: 'practice_name' | 'address' | 'tax_number' | 'phone') => ({
    label: t(`settings.fields.${name}`),
    error: form.errorOf(name),
    ...form.register(name),
  });
  return (
    <StepFrame
      title={t('welcome.clinic.title')}
      text={t('welcome.clinic.text')}
      submit={t('welcome.next')}
      isBusy={state.isBusy}
      onSubmit={state.submit}
      {...step}
    >
      <FormNotes form={form} />
      <Fields>
        <WholeRow>
          <TextField autoComplete="organization" {...field('practice_name')} />
        </WholeRow>
        <WholeRow>
          <TextField autoComplete="street-address" {...field('address')} />
        </WholeRow>
        <TextField autoComplete="off" hint={t('settings.hints.tax_number')} {...field('tax_number')} />
        <TextField type="tel" autoComplete="tel" {...field('phone')} />
      </Fields>
    </StepFrame>
  );
}

/** Currency, language and tax. The server refuses a tax profile without the address of the step before. */
export function MoneyStep({ settings, ...step }: SettingsStepProps) {
  const { t } = useTranslation();
  const { form, ...state } = useSettingsStep(settings, moneyFields, step.onDone);
  const isTaxed = form.watch('tax_profile') !== 'none';
  return (
    <StepFrame
      title={t('welcome.money.title')}
      text={t('welcome.money.text')}
      submit={t('welcome.next')}
      isBusy={state.isBusy}
      onSubmit={state.submit}
      {...step}
    >
      <FormNotes form={form} />
      <Fields>
        <SelectField
          label={t('settings.fields.currency')}
          options={currencies.map((value) => ({ value, label: value }))}
          {...form.register('currency')}
        />
        <SelectField
          label={t('settings.fields.default_language')}
          hint={t('settings.hints.default_language')}
          options={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
          {...form.register('default_language')}
        />
        <TaxProfileFields form={form} />
        {!isTaxed && (
          <WholeRow>
            <TextField
              label={t('settings.fields.tax_note')}
              hint={t('welcome.money.taxNote')}
              error={form.errorOf('tax_note')}
              {...form.register('tax_note')}
            />
          </WholeRow>
        )}
      </Fields>
    </StepFrame>
  );
}

type MoneyField = keyof TaxProfileDraft | 'currency' | 'default_language' | 'tax_note';
const moneyFields: readonly MoneyField[] = [
  'currency',
  'default_language',
  'tax_profile',
  'legal_name',
  'tax_id',
  'postal_code',
  'city',
  'tax_note',
];
