import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useOpened } from '#src/navigation/use-opened.ts';
import { Button } from '#src/ui/button.tsx';

/** Opens the form for a new category, which the list of categories shows. */
export function AddCategory() {
  const { t } = useTranslation();
  const category = useOpened('category');
  return (
    <Button variant="primary" onClick={() => category.open('new')}>
      <Plus />
      {t('categories.add')}
    </Button>
  );
}
