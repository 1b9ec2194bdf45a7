import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { StyledIconButton } from '../../ui/styled.tsx';

/** Edit and delete buttons of a list row. */
export function RowButtons({
  name,
  onEdit,
  onDelete,
}: {
  name: string;
  onEdit: () => void;
  /** Without it the row cannot be deleted here. */
  onDelete?: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  return (
    <>
      <StyledIconButton size="sm" color="fg.muted" label={t('stock.inventory.edit', { name })} onClick={onEdit}>
        <Pencil />
      </StyledIconButton>
      {/* Red on hover only: a red column would draw the eye to a rarely used button. */}
      {onDelete && (
        <StyledIconButton
          size="sm"
          color="fg.muted"
          _hover={{ bg: 'refused.subtle', color: 'refused.fg' }}
          label={t('stock.inventory.delete', { name })}
          onClick={onDelete}
        >
          <Trash2 />
        </StyledIconButton>
      )}
    </>
  );
}
