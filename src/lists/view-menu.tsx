import { chakra, Flex } from '@chakra-ui/react';
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dropdown } from '../ui/dropdown.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { ListPreferences } from './list-preferences.ts';

interface ViewMenuProps {
  preferences: ListPreferences;
  onChange: (change: Partial<ListPreferences>) => void;
  /** Returns the columns that somebody may do without, as the place of the list is now; none where it shows cards. */
  columnsHere: () => readonly { key: string; header: string }[];
  /** The filters and the order as they are. */
  address: string;
  onApply: (address: string) => void;
}

/** How one person likes to see a list: filters saved under a name, and the columns. */
export function ViewMenu({ preferences, onChange, columnsHere, address, onApply }: ViewMenuProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [columns, setColumns] = useState<ReturnType<ViewMenuProps['columnsHere']>>([]);
  const { hidden, saved } = preferences;
  const isHidden = (key: string) => hidden.includes(key);
  return (
    <Dropdown
      label={t('list.view.label')}
      icon={<SlidersHorizontal />}
      isIcon
      alignEnd
      open={open}
      onOpenChange={(isOpening) => {
        if (isOpening) setColumns(columnsHere());
        setOpen(isOpening);
      }}
    >
      <Flex direction="column" gap="3" p="3" minWidth="20rem" maxHeight="70vh" overflowY="auto">
        <section aria-label={t('list.view.saved')}>
          <Heading>{t('list.view.saved')}</Heading>
          <chakra.ul listStyleType="none">
            {saved.map((filter) => (
              <Flex as="li" key={filter.name} align="center" gap="1">
                <SavedButton
                  type="button"
                  aria-pressed={filter.address === address}
                  onClick={() => {
                    onApply(filter.address);
                    setOpen(false);
                  }}
                >
                  {filter.name}
                </SavedButton>
                <IconButton
                  size="sm"
                  label={t('list.view.forget', { name: filter.name })}
                  onClick={() => onChange({ saved: saved.filter((each) => each !== filter) })}
                >
                  <X />
                </IconButton>
              </Flex>
            ))}
          </chakra.ul>
          <SaveForm
            onSave={(name) => onChange({ saved: [...saved.filter((each) => each.name !== name), { name, address }] })}
          />
        </section>
        {columns.length > 0 && (
          <chakra.fieldset borderTopWidth="1px" borderColor="border" pt="3">
            {/* Floats, so that it stands below the line instead of on it. */}
            <Heading as="legend" float="left" width="full">
              {t('list.view.columns')}
            </Heading>
            {columns.map(({ key, header }) => (
              <ColumnLabel key={key}>
                <input
                  type="checkbox"
                  checked={!isHidden(key)}
                  onChange={() =>
                    onChange({ hidden: isHidden(key) ? hidden.filter((each) => each !== key) : [...hidden, key] })
                  }
                />
                {header}
              </ColumnLabel>
            ))}
          </chakra.fieldset>
        )}
      </Flex>
    </Dropdown>
  );
}

/** Saves the filters as they are, under a name. An equal name replaces the earlier ones. */
function SaveForm({ onSave }: { onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
    setName('');
  }
  return (
    <chakra.form onSubmit={save} display="flex" alignItems="flex-end" gap="2" mt="1">
      <TextField
        label={t('list.view.name')}
        value={name}
        maxLength={40}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        {t('list.view.save')}
      </Button>
    </chakra.form>
  );
}

const Heading = chakra('h2', { base: { fontSize: 'sm', fontWeight: 'medium', color: 'fg.muted', pb: '1' } });

const SavedButton = chakra('button', {
  base: {
    flex: '1',
    minWidth: '0',
    minHeight: 'var(--control, 3rem)',
    px: '2',
    borderRadius: 'md',
    textAlign: 'start',
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    '&[aria-pressed=true]': { color: 'accent.fg', fontWeight: 'medium' },
  },
});

const ColumnLabel = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: 'var(--control-small, 3rem)',
    clear: 'both',
    cursor: 'pointer',
    '& input': { width: '5', height: '5', accentColor: '{colors.accent.solid}' },
  },
});
