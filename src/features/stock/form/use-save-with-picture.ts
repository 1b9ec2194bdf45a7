import type { DraftForm } from '#src/forms/draft-form.ts';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
import { cataloguePaths } from '#src/server-data/catalogue.ts';
import { useUpload } from '#src/api/use-upload.ts';

/** Draft of a record with a picture: the URL of the stored picture and a newly chosen file. */
export interface PictureDraft {
  name: string;
  image_url: string | null;
  picture: File | null;
}

/** Leaves out the picture that is not uploaded yet. */
export const withoutPicture = <Draft extends PictureDraft>({ picture: _picture, ...draft }: Draft) => draft;

interface SaveOptions<Draft extends PictureDraft> {
  /** Path of the list that the record belongs to, such as `stock`. */
  path: string;
  id: number | 'new';
  form: DraftForm<Draft>;
  bodyOf: (draft: Draft) => object;
  done: (name: string) => string;
  failed: string;
}

/** Creates or updates a record. Uploads a new picture first, and saves nothing when the upload fails. */
export function useSaveWithPicture<Draft extends PictureDraft>({
  path,
  id,
  form,
  bodyOf,
  done,
  failed,
}: SaveOptions<Draft>) {
  const upload = useUpload('picture');
  const saving = useSaveRecord({
    form,
    path: id === 'new' ? path : `${path}/${id}`,
    bodyOf,
    refreshes: cataloguePaths,
    done: ({ name }) => done(name),
    failed,
    keepAs: `${path}:${id}:sent`,
  });
  const { setValue } = form as unknown as DraftForm<PictureDraft>;
  async function uploadPicture(draft: Draft): Promise<Draft | null> {
    if (!draft.picture) return draft;
    const url = await upload.send(draft.picture);
    if (!url) return null;
    // Kept in the form so that a retry after a refusal does not upload the picture again.
    setValue('image_url', url, { shouldDirty: true });
    setValue('picture', null, { shouldDirty: true });
    return { ...draft, image_url: url, picture: null };
  }
  return {
    /** @returns false when nothing was saved; the form or a toast then shows the reason */
    save: async (draft: Draft): Promise<boolean> => {
      const complete = await uploadPicture(draft);
      return complete !== null && saving.save(complete);
    },
    upload,
  };
}
