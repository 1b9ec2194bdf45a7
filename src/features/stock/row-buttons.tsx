import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';

/** What can be done about something that a list shows by its name. */
export function RowButtons({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton size="sm" color="fg.muted" label={t('stock.inventory.edit', { name })} onClick={onEdit}>
        <Pencil />
      </IconButton>
      {/* Red only where somebody means it: a column of red draws the eye to what is rarely wanted. */}
      <IconButton
        size="sm"
        color="fg.muted"
        _hover={{ bg: 'refused.subtle', color: 'refused.fg' }}
        label={t('stock.inventory.delete', { name })}
        onClick={onDelete}
      >
        <Trash2 />
      </IconButton>
    </>
  );
}
