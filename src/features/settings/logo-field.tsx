import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { useUpload } from '#src/api/use-upload.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FileField } from '#src/forms/file-field.tsx';

/** The logo of documents. It is uploaded when it is chosen, so that the preview can show it; saving the form puts it to use. */
export function LogoField({ form }: { form: DraftForm<ClinicSettings> }) {
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
