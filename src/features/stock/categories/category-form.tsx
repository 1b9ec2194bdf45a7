import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '#domain/stock/resources.ts';
import { blankCategory } from '#domain/stock/blank-drafts.ts';
import { categoryProblems } from '#domain/stock/drafts.ts';
import type { CategoryDraft } from '#domain/stock/drafts.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import { edited } from '#src/forms/edited-record.ts';
import { FormDialog } from '#src/forms/form-frames.tsx';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { PictureField } from '../form/picture-field.tsx';
import { useSaveWithPicture, withoutPicture } from '../form/use-save-with-picture.ts';
import { useColourName } from './use-colour-name.ts';
import { ColourField } from './colour-field.tsx';

interface CategoryFormDraft extends CategoryDraft {
  /** A chosen picture that is not uploaded yet. */
  picture: File | null;
}

const blank: CategoryFormDraft = { ...blankCategory, picture: null };

const draftOf = ({ name, description, color, image_url }: CategoryResource): CategoryFormDraft => ({
  name,
  description,
  color,
  image_url,
  picture: null,
});

export function CategoryForm({ category, onClose }: { category: CategoryResource | 'new'; onClose: () => void }) {
  const { t } = useTranslation();
  const isNew = category === 'new';
  const texts = useFieldTexts();
  const form = useDraftForm<CategoryFormDraft>({
    name: `category:${isNew ? 'new' : category.id}`,
    initial: blank,
    record: edited<CategoryResource, CategoryFormDraft>(category, {
      draftOf,
      bodyOf: withoutPicture,
      views: {
        name: { label: t('categories.fields.name') },
        description: { label: t('categories.fields.description') },
        color: { label: t('categories.fields.colour'), text: useColourName() },
        image_url: { label: t('stock.fields.picture'), text: texts.picture, picture: { file: 'picture' } },
      },
    }),
    problemsOf: categoryProblems,
  });
  const { register, errorOf, watch, setValue } = form;
  const { save, upload } = useSaveWithPicture({
    path: 'categories',
    id: isNew ? 'new' : category.id,
    form,
    bodyOf: withoutPicture,
    done: (name) => t(isNew ? 'categories.created' : 'categories.updated', { name }),
    failed: t(isNew ? 'categories.createFailed' : 'categories.updateFailed'),
  });
  return (
    <FormDialog
      width="32rem"
      form={form}
      title={t(isNew ? 'categories.form.createTitle' : 'categories.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'categories.form.create' : 'categories.form.update')}
      save={save}
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
        initial={isNew ? blank.color : category.color}
        onChange={(color) => setValue('color', color, { shouldDirty: true })}
      />
      <PictureField form={form} upload={upload} hint={t('categories.form.pictureHint')} />
    </FormDialog>
  );
}
