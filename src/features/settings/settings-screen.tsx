import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { languages } from '#domain/language.ts';
import { percentForm, wholeForm } from '#domain/decimal.ts';
import { currencies } from '#domain/money.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { settingsPaths, useStoredSettings } from '#src/server-data/settings.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { edited } from '#src/forms/edited-record.ts';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { useSettingsViews } from '#src/forms/use-settings-views.ts';
import { FormMoneyField } from '#src/forms/money-field.tsx';
import { FormNumberField } from '#src/forms/number-field.tsx';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { FormNotes } from '#src/forms/form-notes.tsx';
import { Button } from '#src/ui/button.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { SectionList, settingsSections } from './section-list.tsx';
import type { SettingsSection } from './section-list.tsx';
import { CertificateSection } from './certificate-section.tsx';
import { DeviceSection } from './device-section.tsx';
import { FilesSection } from './files-section.tsx';
import { InvoiceSection } from './invoice-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { TaxSection } from './tax-section.tsx';
import { VerifactuSection } from './verifactu-section.tsx';

/** Clinic settings. Devices receive saved settings through the change feed. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const settings = useStoredSettings();
  const frame = { title: t('settings.title'), text: t('settings.text'), oldSince: settings.oldSince };
  if (settings.fault && !settings.value)
    return (
      <PageFrame {...frame}>
        <NotLoaded data={settings} />
        <DeviceSection />
      </PageFrame>
    );
  return (
    <PageFrame {...frame}>
      <chakra.div
        maxWidth="84rem"
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', xl: '12rem minmax(0, 1fr)' }}
        columnGap="10"
        alignItems="start"
      >
        <SectionList names={sectionsOf(settings.value?.data)} />
        <chakra.div minWidth="0" mt={{ base: '0', xl: '-8' }}>
          {settings.value && <SettingsForm saved={settings.value.data} />}
          {settings.isLoading && <Skeleton height="96" />}
          {settings.value?.data.tax_profile === 'ES' && <CertificateSection />}
          {/* After the form, which would otherwise push it down. */}
          {!settings.isLoading && (
            <>
              <FilesSection />
              <DeviceSection />
            </>
          )}
        </chakra.div>
      </chakra.div>
    </PageFrame>
  );
}

const sectionsOf = (settings: ClinicSettings | undefined): SettingsSection[] =>
  settingsSections.filter((name) => settings?.tax_profile === 'ES' || (name !== 'verifactu' && name !== 'certificate'));

function SettingsForm({ saved }: { saved: ClinicSettings }) {
  const { t } = useTranslation();
  const form = useDraftForm<ClinicSettings>({
    name: 'settings',
    initial: saved,
    record: edited<ClinicSettings, ClinicSettings>(saved, {
      draftOf: (stored) => stored,
      views: useSettingsViews(),
    }),
    problemsOf: settingsProblems,
  });
  const { isDirty } = form.formState;
  const save = useSaveRecord<ClinicSettings, ClinicSettings>({
    form,
    path: 'settings',
    refreshes: settingsPaths,
    done: () => t('settings.saved'),
    failed: t('settings.saveFailed'),
    onStored: form.saved,
  });
  return (
    <chakra.form
      noValidate
      onSubmit={(event) => void form.handleSubmit(async (draft) => void (await save.save(draft)))(event)}
      // No field that takes the focus is below the buttons.
      css={{ '& :is(input, select, textarea, button)': { scrollMarginBottom: '6rem' } }}
    >
      <FormNotes form={form} />
      <PracticeSection form={form} />
      <MoneySection form={form} />
      <InvoiceSection form={form} />
      <TaxSection form={form} />
      {form.watch('tax_profile') === 'ES' && <VerifactuSection form={form} saved={saved} />}
      <RetentionSection form={form} />
      <NotificationsSection form={form} savedAddress={saved.notification_email} />
      <chakra.div position="sticky" bottom="0" bg="bg" borderTopWidth="1px" borderColor="border" py="3" zIndex="docked">
        <Flex justify="flex-end" align="center" gap="3" wrap="wrap">
          {isDirty && (
            <chakra.span fontSize="sm" color="fg.muted">
              {t('settings.unsaved')}
            </chakra.span>
          )}
          <Button disabled={!isDirty || save.isRunning} onClick={form.startOver}>
            {t('settings.undo')}
          </Button>
          <Button type="submit" variant="primary" disabled={!isDirty || save.isRunning}>
            {t(save.isRunning ? 'form.saving' : 'form.save')}
          </Button>
        </Flex>
      </chakra.div>
    </chakra.form>
  );
}

function PracticeSection({ form: { register, errorOf, watch } }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  return (
    <FormSection anchor="practice" title={t('settings.practice.title')} text={t('settings.practice.text')}>
      <WholeRow>
        <TextField
          label={t('settings.fields.practice_name')}
          error={errorOf('practice_name')}
          {...register('practice_name')}
        />
      </WholeRow>
      <TextField label={t('settings.fields.phone')} type="tel" error={errorOf('phone')} {...register('phone')} />
      <TextField label={t('settings.fields.email')} type="email" error={errorOf('email')} {...register('email')} />
      <WholeRow>
        <TextField label={t('settings.fields.address')} error={errorOf('address')} {...register('address')} />
      </WholeRow>
      {/* With a tax profile its NIF is printed. */}
      {watch('tax_profile') === 'none' && (
        <TextField
          label={t('settings.fields.tax_number')}
          hint={t('settings.hints.tax_number')}
          error={errorOf('tax_number')}
          {...register('tax_number')}
        />
      )}
      <TextField
        label={t('settings.fields.time_zone')}
        hint={t('settings.hints.time_zone')}
        list="time-zones"
        error={errorOf('time_zone')}
        {...register('time_zone')}
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
      <SelectField
        label={t('settings.fields.default_language')}
        hint={t('settings.hints.default_language')}
        options={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
        {...register('default_language')}
      />
    </FormSection>
  );
}

function MoneySection({ form }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  const { register, errorOf } = form;
  return (
    <FormSection anchor="money" title={t('settings.money.title')} text={t('settings.money.text')}>
      <SelectField
        label={t('settings.fields.currency')}
        hint={t('settings.hints.currency')}
        options={currencies.map((value) => ({ value, label: value }))}
        {...register('currency')}
      />
      <FormNumberField
        form={form}
        name="service_charge_rate"
        kind={percentForm}
        label={t('settings.fields.service_charge_rate')}
        hint={t('settings.hints.service_charge_rate')}
        error={errorOf('service_charge_rate')}
      />
      <FormNumberField
        form={form}
        name="discount_limit_percent"
        kind={percentForm}
        label={t('settings.fields.discount_limit_percent')}
        hint={t('settings.hints.discount_limit_percent')}
        error={errorOf('discount_limit_percent')}
      />
      <FormMoneyField
        form={form}
        name="change_limit"
        label={t('settings.fields.change_limit')}
        hint={t('settings.hints.change_limit')}
        currency={form.watch('currency')}
        error={errorOf('change_limit')}
      />
      <FormMoneyField
        form={form}
        name="month_target"
        label={t('settings.fields.month_target')}
        hint={t('settings.hints.month_target')}
        currency={form.watch('currency')}
        error={errorOf('month_target')}
      />
      <FormNumberField
        form={form}
        name="order_timeout_minutes"
        kind={wholeForm}
        label={t('settings.fields.order_timeout_minutes')}
        hint={t('settings.hints.order_timeout_minutes')}
        step={1}
        error={errorOf('order_timeout_minutes')}
      />
      <FormNumberField
        form={form}
        name="lock_minutes"
        kind={wholeForm}
        label={t('settings.fields.lock_minutes')}
        hint={t('settings.hints.lock_minutes')}
        step={1}
        error={errorOf('lock_minutes')}
      />
    </FormSection>
  );
}

/** How long data of patients stay on the server and on tablets. */
function RetentionSection({ form }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  return (
    <FormSection anchor="retention" title={t('settings.retention.title')} text={t('settings.retention.text')}>
      {(['patient_retention_years', 'tablet_keep_days'] as const).map((field) => (
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
