import { useTranslation } from 'react-i18next';
import type { Upload } from '#src/api/use-upload.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { FileField } from '#src/forms/file-field.tsx';
import { PictureLibrary } from './picture-library.tsx';
import type { PictureDraft } from './use-save-with-picture.ts';

/** The picture of a service, supply or category. */
export function PictureField<Draft extends PictureDraft>({
  form,
  upload,
  hint,
  color,
}: {
  form: DraftForm<Draft>;
  upload: Upload;
  hint: string;
  /** The colour of its category, for a picture of the library. */
  color?: string | null | undefined;
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
    <div>
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
      <PictureLibrary
        color={color}
        onChoose={(url) => {
          setPicture(null);
          setValue('image_url', url, { shouldDirty: true });
        }}
      />
    </div>
  );
}
