import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { paperWidths } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { DocumentPreview } from '#src/printing/document-preview.tsx';
import { printContent } from '#src/printing/print-content.ts';
import { Button } from '#src/ui/button.tsx';
import { CheckField } from '#src/ui/check-field.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { LogoField } from './logo-field.tsx';
import { useSampleInvoice } from './use-sample-invoice.ts';

/** Texts and width of the printed invoice, with a preview of the unsaved settings. */
export function InvoiceSection({ form }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  const { register, errorOf, control } = form;
  const settings = useWatch({ control }) as ClinicSettings;
  const sampleOf = useSampleInvoice();
  const content = useMemo(() => sampleOf(settings), [sampleOf, settings]);
  return (
    <FormSection anchor="invoice" title={t('settings.invoice.title')} text={t('settings.invoice.text')}>
      <WholeRow>
        <LogoField form={form} />
      </WholeRow>
      <TextField
        label={t('settings.fields.document_colour')}
        hint={t('settings.hints.document_colour')}
        type="color"
        error={errorOf('document_colour')}
        {...register('document_colour')}
      />
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
      {settings.tax_profile === 'none' && (
        <WholeRow>
          <TextArea
            label={t('settings.fields.tax_note')}
            rows={2}
            error={errorOf('tax_note')}
            {...register('tax_note')}
          />
        </WholeRow>
      )}
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
        <Button onClick={() => void printContent(() => content, t('print.failed'))}>
          {t('settings.invoice.testPrint')}
        </Button>
      </WholeRow>
    </FormSection>
  );
}
