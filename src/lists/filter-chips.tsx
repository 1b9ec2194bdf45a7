import { chakra } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { StyledButton } from '../ui/styled.tsx';

export interface FilterChip {
  key: string;
  /** The filter, in words. */
  text: string;
  onRemove: () => void;
}

/** Shows the active filters of a list, each with a button that removes it. */
export function FilterChips({ chips, onRemoveAll }: { chips: readonly FilterChip[]; onRemoveAll: () => void }) {
  const { t } = useTranslation();
  if (chips.length === 0) return null;
  return (
    <chakra.ul aria-label={t('list.chips.label')} display="flex" flexWrap="wrap" gap="2">
      {chips.map(({ key, text, onRemove }) => (
        <li key={key}>
          <StyledButton
            size="sm"
            aria-label={t('list.chips.remove', { chip: text })}
            onClick={onRemove}
            _icon={{ width: '4', height: '4' }}
          >
            {text}
            <X aria-hidden />
          </StyledButton>
        </li>
      ))}
      <li>
        <Button size="sm" variant="quiet" onClick={onRemoveAll}>
          {t('list.chips.removeAll')}
        </Button>
      </li>
    </chakra.ul>
  );
}
