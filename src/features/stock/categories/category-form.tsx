import { chakra } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryDocument } from '../../../../domain/stock/documents.ts';
import { categoryProblems } from '../../../../domain/stock/drafts.ts';
import type { CategoryDraft } from '../../../../domain/stock/drafts.ts';
import { useDraftForm } from '../../../app/draft-form.ts';
import { callServer, useServerCall } from '../../../app/server-call.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { DraftActions } from '../../../parts/draft-actions.tsx';
import { RestoredNote } from '../../../parts/restored-note.tsx';
import { ColourField } from './colour-field.tsx';

const blank: CategoryDraft = { name: '', description: '', color: null };

/** Cancel gives up what was typed; closing the dialog otherwise keeps it for the next time. */
export function CategoryForm({ category, onClose }: { category: CategoryDocument | 'new'; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const isNew = category === 'new';
  const [initial] = useState<CategoryDraft>(() => (isNew ? blank : { name: category.name, description: category.description, color: category.color }));
  const form = useDraftForm<CategoryDraft>({ name: `category:${isNew ? 'new' : category.id}`, initial, problemsOf: categoryProblems });
  const { register, errorOf, watch, setValue } = form;
  const saving = useServerCall(
    (draft: CategoryDraft, headers) =>
      isNew ? callServer('post', 'categories', draft, headers) : callServer('put', `categories/${category.id}`, draft, headers),
    {
      refreshes: ['categories'],
      done: ({ name }) => t(isNew ? 'categories.created' : 'categories.updated', { name }),
      failed: t(isNew ? 'categories.createFailed' : 'categories.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  async function giveUp() {
    await form.forget();
    onClose();
  }
  async function submit(draft: CategoryDraft) {
    if (await saving.run(draft)) await giveUp();
  }
  return (
    <Dialog
      open
      width="32rem"
      title={t(isNew ? 'categories.form.createTitle' : 'categories.form.editTitle')}
      onClose={() => !saving.isRunning && onClose()}
      actions={<DraftActions formId={formId} isNew={isNew} isRunning={saving.isRunning} submitLabel={t(isNew ? 'categories.form.create' : 'categories.form.update')} onCancel={giveUp} />}
    >
      <chakra.form id={formId} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} display="flex" flexDirection="column" gap="5">
        <RestoredNote form={form} />
        <TextField label={t('categories.fields.name')} autoComplete="off" error={errorOf('name')} {...register('name')} />
        <TextArea label={t('categories.fields.description')} rows={3} error={errorOf('description')} {...register('description')} />
        <ColourField
          label={t('categories.fields.colour')}
          hint={t('categories.form.colourHint')}
          value={watch('color')}
          before={initial.color}
          onChange={(color) => setValue('color', color, { shouldDirty: true })}
        />
      </chakra.form>
    </Dialog>
  );
}
