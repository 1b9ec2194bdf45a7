import { useTranslation } from 'react-i18next';
import type { Upload } from '../../../api/use-upload.ts';
import type { DraftForm } from '../../../forms/draft-form.ts';
import { FileField } from '../../../forms/file-field.tsx';
import type { PictureDraft } from './use-save-with-picture.ts';

/** The picture of a service, supply or category. */
export function PictureField<Draft extends PictureDraft>({
  form,
  upload,
  hint,
}: {
  form: DraftForm<Draft>;
  upload: Upload;
  hint: string;
}) {
  const { t } = useTranslation();
  const { errorOf, setValue, watch, formState } = form as unknown as DraftForm<PictureDraft>;
  const [picture, imageUrl] = watch(['picture', 'image_url']);
  function setPicture(next: File | null) {
    upload.forget();
    setValue('picture', next, { shouldDirty: true });
    setValue('image_url', null, { shouldDirty: true });
  }
  return (
    <FileField
      label={t('stock.fields.picture')}
      hint={hint}
      purpose="picture"
      file={picture}
      kept={imageUrl ? { name: t('stock.form.keptPicture'), picture: imageUrl } : null}
      onChoose={setPicture}
      onRemove={() => setPicture(null)}
      error={upload.error ?? errorOf('image_url')}
      disabled={formState.isSubmitting}
    />
  );
}
