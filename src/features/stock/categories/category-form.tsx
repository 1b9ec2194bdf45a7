import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '../../../../domain/stock/resources.ts';
import { categoryProblems } from '../../../../domain/stock/drafts.ts';
import type { CategoryDraft } from '../../../../domain/stock/drafts.ts';
import { useDraftForm } from '../../../forms/draft-form.ts';
import { callServer } from '../../../api/client.ts';
import { useServerCall } from '../../../server-data/use-server-call.ts';
import { FormDialog } from '../../../forms/form-frames.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ColourField } from './colour-field.tsx';

const blank: CategoryDraft = { name: '', description: '', color: null };

export function CategoryForm({ category, onClose }: { category: CategoryResource | 'new'; onClose: () => void }) {
  const { t } = useTranslation();
  const isNew = category === 'new';
  const [initial] = useState<CategoryDraft>(() =>
    isNew ? blank : { name: category.name, description: category.description, color: category.color },
  );
  const form = useDraftForm<CategoryDraft>({
    name: `category:${isNew ? 'new' : category.id}`,
    initial,
    problemsOf: categoryProblems,
  });
  const { register, errorOf, watch, setValue } = form;
  const saving = useServerCall(
    (draft: CategoryDraft, headers) =>
      isNew
        ? callServer('post', 'categories', draft, headers)
        : callServer('put', `categories/${category.id}`, draft, headers),
    {
      refreshes: ['categories'],
      done: ({ name }) => t(isNew ? 'categories.created' : 'categories.updated', { name }),
      failed: t(isNew ? 'categories.createFailed' : 'categories.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  return (
    <FormDialog
      width="32rem"
      form={form}
      title={t(isNew ? 'categories.form.createTitle' : 'categories.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'categories.form.create' : 'categories.form.update')}
      save={saving.run}
      onClose={onClose}
    >
      <TextField label={t('categories.fields.name')} autoComplete="off" error={errorOf('name')} {...register('name')} />
      <TextArea
        label={t('categories.fields.description')}
        rows={3}
        error={errorOf('description')}
        {...register('description')}
      />
      <ColourField
        label={t('categories.fields.colour')}
        hint={t('categories.form.colourHint')}
        value={watch('color')}
        initial={initial.color}
        onChange={(color) => setValue('color', color, { shouldDirty: true })}
      />
    </FormDialog>
  );
}
