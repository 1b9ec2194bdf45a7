import { useTranslation } from 'react-i18next';
import type { DraftForm } from '#src/forms/draft-form.ts';
import type { Upload } from '#src/api/use-upload.ts';
import { useCategoryChoices } from '#src/server-data/catalogue.ts';
import { TextField } from '#src/ui/text-field.tsx';
import { CategorySelect } from './category-select.tsx';
import { PictureField } from './picture-field.tsx';
import type { PictureDraft } from './use-save-with-picture.ts';

interface CatalogueDraft extends PictureDraft {
  category_id: number | null;
  barcode: string | null;
}

/** Fields that the counter's catalogue uses: category, barcode and picture. */
export function CatalogueFields<Draft extends CatalogueDraft>({
  form,
  upload,
}: {
  form: DraftForm<Draft>;
  upload: Upload;
}) {
  const { t } = useTranslation();
  const { register, errorOf, setValue, watch } = form as unknown as DraftForm<CatalogueDraft>;
  const category = watch('category_id');
  const color = useCategoryChoices().find(({ id }) => id === category)?.color;
  return (
    <>
      <CategorySelect
        label={t('stock.fields.category')}
        noneLabel={t('stock.form.noCategory')}
        value={category ?? ''}
        onChange={({ target }) =>
          setValue('category_id', target.value ? Number(target.value) : null, { shouldDirty: true })
        }
        error={errorOf('category_id')}
      />
      <TextField
        label={t('stock.fields.barcode')}
        hint={t('stock.form.barcodeHint')}
        error={errorOf('barcode')}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        data-takes-codes
        // A barcode scanner sends Enter after the code, which must not submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        {...register('barcode', { setValueAs: (text: string | null) => text?.trim() || null })}
      />
      <PictureField form={form} upload={upload} hint={t('stock.form.pictureHint')} color={color} />
    </>
  );
}
