import { useTranslation } from 'react-i18next';
import type { ProductDraft } from '../../../../domain/stock/drafts.ts';
import type { DraftForm } from '../../../app/draft-form.ts';
import { callServer, useServerCall } from '../../../app/server-data.ts';
import { useUpload } from '../../../app/upload.ts';
import { productBody } from './product-form-draft.ts';
import type { ProductFormDraft } from './product-form-draft.ts';

/** Creates or changes a service; its new picture is uploaded first, and without it nothing is saved. */
export function useSaveProduct(id: number | 'new', form: DraftForm<ProductFormDraft>) {
  const { t } = useTranslation();
  const upload = useUpload('picture');
  const isNew = id === 'new';
  const saving = useServerCall(
    ({ body }: { name: string; body: Partial<ProductDraft> }, headers) =>
      isNew ? callServer('post', 'products', body, headers) : callServer('put', `products/${id}`, body, headers),
    {
      refreshes: ['products'],
      done: ({ name }) => t(isNew ? 'services.created' : 'services.updated', { name }),
      failed: t(isNew ? 'services.createFailed' : 'services.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  async function uploaded(draft: ProductFormDraft): Promise<ProductFormDraft | null> {
    if (!draft.picture) return draft;
    const url = await upload.send(draft.picture);
    if (!url) return null;
    // Should the service itself be refused, its picture need not travel again.
    form.setValue('image_url', url, { shouldDirty: true });
    form.setValue('picture', null, { shouldDirty: true });
    return { ...draft, image_url: url, picture: null };
  }
  return {
    /** @returns whether it is saved; if not, the form or a toast has said why */
    save: async (draft: ProductFormDraft): Promise<boolean> => {
      const complete = await uploaded(draft);
      return complete !== null && saving.run({ name: complete.name, body: productBody(complete) });
    },
    upload,
  };
}
