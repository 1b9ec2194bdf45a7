import { useTranslation } from 'react-i18next';
import type { DraftForm } from '../../../app/draft-form.ts';
import { callServer, useServerCall } from '../../../app/server-data.ts';
import { useUpload } from '../../../app/upload.ts';
import { itemBody } from './item-draft.ts';
import type { ItemDraft } from './item-draft.ts';

/** Creates or changes a stock item; its new picture is uploaded first, and without it nothing is saved. */
export function useSaveItem(id: number | 'new', form: DraftForm<ItemDraft>) {
  const { t } = useTranslation();
  const upload = useUpload('picture');
  const isNew = id === 'new';
  const saving = useServerCall(
    ({ body }: { name: string; body: Record<string, unknown> }, headers) =>
      isNew ? callServer('post', 'stock', body, headers) : callServer('put', `stock/${id}`, body, headers),
    {
      refreshes: ['stock'],
      done: ({ name }) => t(isNew ? 'stock.form.created' : 'stock.form.updated', { name }),
      failed: t(isNew ? 'stock.form.createFailed' : 'stock.form.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  async function uploaded(draft: ItemDraft): Promise<ItemDraft | null> {
    if (!draft.picture) return draft;
    const url = await upload.send(draft.picture);
    if (!url) return null;
    // Should the item itself be refused, its picture need not travel again.
    form.setValue('image_url', url, { shouldDirty: true });
    form.setValue('picture', null, { shouldDirty: true });
    return { ...draft, image_url: url, picture: null };
  }
  return {
    /** @returns whether it is saved; if not, the form or a toast has said why */
    save: async (draft: ItemDraft): Promise<boolean> => {
      const complete = await uploaded(draft);
      return complete !== null && saving.run({ name: complete.name, body: itemBody(complete) });
    },
    upload,
  };
}
