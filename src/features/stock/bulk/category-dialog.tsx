import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { CategorySelect } from '../form/category-select.tsx';

/** Asks for the category that several supplies or services get. */
export function CategoryDialog({
  count,
  onClose,
  onChoose,
}: {
  count: number;
  onClose: () => void;
  onChoose: (id: number | null) => void;
}) {
  const { t } = useTranslation();
  const [id, setId] = useState('');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('stock.bulk.categoryOf', { count })}
      onSubmit={() => {
        onChoose(id === '' ? null : Number(id));
        onClose();
      }}
      actions={
        <>
          <Button onClick={onClose}>{t('form.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('stock.bulk.apply')}
          </Button>
        </>
      }
    >
      <CategorySelect
        label={t('stock.fields.category')}
        noneLabel={t('stock.form.noCategory')}
        value={id}
        onChange={({ target }) => setId(target.value)}
      />
    </Dialog>
  );
}
