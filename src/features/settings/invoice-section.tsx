import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { paperWidths } from '../../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { useLatestSample } from './use-sample-invoice.ts';
import { FormSection, WholeRow } from '../../forms/form-section.tsx';
import { DocumentPreview } from '../../printing/document-preview.tsx';
import { openPrintTarget } from '../../printing/print-target.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { toast } from '../../ui/toaster.tsx';
import type { SettingsFormApi } from './settings-screen.tsx';

/** What the paper says and how wide it is, with an invoice as it would come out now. */
export function InvoiceSection({ form }: { form: SettingsFormApi }) {
  const { t } = useTranslation();
  const { register, errorOf, control } = form;
  const settings = useWatch({ control }) as ClinicSettings;
  const sample = useLatestSample();
  const content = useMemo(() => sample(settings), [sample, settings]);
  function printTest() {
    const target = openPrintTarget();
    target.print(content).catch(() => {
      target.discard();
      toast({ tone: 'error', title: t('print.failed') });
    });
  }
  return (
    <FormSection title={t('settings.invoice.title')} text={t('settings.invoice.text')}>
      <WholeRow>
        <TextArea
          label={t('settings.fields.receipt_header')}
          rows={2}
          error={errorOf('receipt_header')}
          {...register('receipt_header')}
        />
      </WholeRow>
      <WholeRow>
        <TextArea
          label={t('settings.fields.receipt_footer')}
          rows={2}
          error={errorOf('receipt_footer')}
          {...register('receipt_footer')}
        />
      </WholeRow>
      <WholeRow>
        <TextArea
          label={t('settings.fields.tax_note')}
          rows={2}
          error={errorOf('tax_note')}
          {...register('tax_note')}
        />
      </WholeRow>
      <SelectField
        label={t('settings.fields.paper_width')}
        options={paperWidths.map((value) => ({ value, label: value.replace('mm', ' mm') }))}
        {...register('paper_width')}
      />
      <CheckField
        label={t('settings.fields.auto_print_receipts')}
        hint={t('settings.hints.auto_print_receipts')}
        {...register('auto_print_receipts')}
      />
      <WholeRow>
        <DocumentPreview content={content} label={t('settings.invoice.preview')} />
      </WholeRow>
      <WholeRow>
        <Button onClick={printTest}>{t('settings.invoice.testPrint')}</Button>
      </WholeRow>
    </FormSection>
  );
}
