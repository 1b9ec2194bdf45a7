import type { DraftForm } from '../../../forms/draft-form.ts';
import { callServer } from '../../../api/client.ts';
import { useServerCall } from '../../../server-data/use-server-call.ts';
import { useUpload } from '../../../api/use-upload.ts';

/** A draft of something that the counter shows with a picture: the address of the present one, and one that was chosen since. */
export interface PictureDraft {
  name: string;
  image_url: string | null;
  picture: File | null;
}

interface SaveOptions<Draft extends PictureDraft> {
  /** The list that it belongs to, such as `stock`. */
  path: string;
  id: number | 'new';
  form: DraftForm<Draft>;
  bodyOf: (draft: Draft) => object;
  done: (name: string) => string;
  failed: string;
}

/** Creates or changes something with a picture: a new picture is uploaded first, and without it nothing is saved. */
export function useSaveWithPicture<Draft extends PictureDraft>({
  path,
  id,
  form,
  bodyOf,
  done,
  failed,
}: SaveOptions<Draft>) {
  const upload = useUpload('picture');
  const saving = useServerCall(
    ({ body }: { name: string; body: object }, headers) =>
      id === 'new' ? callServer('post', path, body, headers) : callServer('put', `${path}/${id}`, body, headers),
    { refreshes: [path], done: ({ name }) => done(name), failed, onRefused: form.takeRefusal },
  );
  const { setValue } = form as unknown as DraftForm<PictureDraft>;
  async function uploaded(draft: Draft): Promise<Draft | null> {
    if (!draft.picture) return draft;
    const url = await upload.send(draft.picture);
    if (!url) return null;
    // Should the rest be refused, the picture need not travel again.
    setValue('image_url', url, { shouldDirty: true });
    setValue('picture', null, { shouldDirty: true });
    return { ...draft, image_url: url, picture: null };
  }
  return {
    /** @returns whether it is saved; if not, the form or a toast has said why */
    save: async (draft: Draft): Promise<boolean> => {
      const complete = await uploaded(draft);
      return complete !== null && saving.run({ name: complete.name, body: bodyOf(complete) });
    },
    upload,
  };
}
