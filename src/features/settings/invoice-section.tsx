import { useMemo, useState } from 'react';
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
import { useSampleInvoice } from './use-sample-invoice.ts';
import { useUpload } from '#src/api/use-upload.ts';
import { FileField } from '#src/forms/file-field.tsx';

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

/** The logo of documents. It is uploaded when it is chosen, so that the preview can show it; saving the form puts it to use. */
function LogoField({ form }: { form: DraftForm<ClinicSettings> }) {
  const { t } = useTranslation();
  const upload = useUpload('picture');
  const [isSending, setIsSending] = useState(false);
  const url = form.watch('logo_url');
  const use = (next: string) => form.setValue('logo_url', next, { shouldDirty: true, shouldValidate: true });
  async function choose(file: File) {
    setIsSending(true);
    const sent = await upload.send(file);
    setIsSending(false);
    if (sent) use(sent);
  }
  return (
    <FileField
      label={t('settings.fields.logo_url')}
      hint={t('settings.hints.logo_url')}
      purpose="picture"
      file={null}
      kept={url ? { name: t('settings.invoice.keptLogo'), picture: url } : null}
      onChoose={(file) => void choose(file)}
      onRemove={() => {
        upload.forget();
        use('');
      }}
      error={upload.error ?? form.errorOf('logo_url')}
      disabled={isSending || form.formState.isSubmitting}
    />
  );
}
