/* oxlint-disable jsx-a11y/prefer-tag-over-role -- The browser's own list can neither search the catalogue nor show levels. */
import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { Search, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../local-data/database.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { searchStock, stockByBarcode } from '../../../db/queries/stock-levels.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { QuantityText } from '../quantity-text.tsx';

const offered = 8;

interface ItemPickerProps {
  label: string;
  hint?: string | undefined;
  /** The chosen one; without it each choice leaves the field empty for the next. */
  item?: CatalogueItem | undefined;
  /** The ids of items that are not offered. */
  without?: readonly number[];
  onChoose: (item: CatalogueItem | null) => void;
  ref?: Ref<HTMLInputElement>;
}

const nothing: readonly number[] = [];

/**
 * Finds a stock item by the beginning of its name, or by its barcode: a scanner types the code and ends with Enter. What is
 * typed is given up when the field is left; the chosen item stays until another is chosen.
 */
export function ItemPicker({ label, hint, item, without = nothing, onChoose, ref }: ItemPickerProps) {
  const { t } = useTranslation();
  const listId = useId();
  /** What is typed; null while nobody searches. */
  const [text, setText] = useState<string | null>(null);
  /** The item that an arrow key has gone to: by its id, as the list may still change under it. */
  const [pointedId, setPointedId] = useState<number | null>(null);
  const search = async (typed: string, limit: number) => {
    const items = await searchStock(db, { text: typed, limit: limit + without.length });
    return items.filter(({ id }) => !without.includes(id)).slice(0, limit);
  };
  const found =
    useLiveQuery(async () => text !== null && { text, items: await search(text, offered) }, [text, without]) || null;
  const isOpen = text !== null;
  const items = isOpen && found ? found.items : [];
  const pointed = items.find(({ id }) => id === pointedId);
  const active = pointed ? items.indexOf(pointed) : 0;

  function type(typed: string | null) {
    setText(typed);
    setPointedId(null);
  }
  function choose(chosen: CatalogueItem) {
    type(null);
    onChoose(chosen);
  }
  /** For what stands in the field at this moment, even if the list has not caught up with fast fingers. */
  async function chooseTyped(typed: string) {
    const scanned = await stockByBarcode(db, typed.trim());
    const named = found?.text === typed ? found.items[0] : (await search(typed, 1))[0];
    const chosen = scanned ?? named;
    if (chosen) choose(chosen);
  }
  function move(step: 1 | -1) {
    if (!isOpen) type('');
    else if (items.length > 0) setPointedId(items[(active + step + items.length) % items.length]!.id);
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const typed = event.currentTarget.value;
    const act = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      // Enter never sends the form from here.
      Enter: () => void (pointed ? choose(pointed) : isOpen && chooseTyped(typed)),
      Escape: () => type(null),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  return (
    <chakra.div position="relative">
      <TextField
        ref={ref}
        label={label}
        hint={hint}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={items[active] ? `${listId}-${active}` : undefined}
        value={text ?? item?.name ?? ''}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onClick={() => !isOpen && type('')}
        onBlur={() => type(null)}
        onKeyDown={press}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="next"
        start={<Search size={20} />}
        end={
          item && !isOpen ? (
            <IconButton label={t('stock.adjust.clearItem')} onClick={() => onChoose(null)}>
              <X />
            </IconButton>
          ) : null
        }
      />
      <chakra.div
        // A press within the list must not take the focus from the field, which would close it.
        onMouseDown={(event) => event.preventDefault()}
        hidden={!isOpen}
        position="absolute"
        top="4.75rem"
        insetInline="0"
        zIndex="docked"
        maxHeight="80"
        overflowY="auto"
        bg="bg.surface"
        borderWidth="1px"
        borderColor="border.strong"
        borderRadius="md"
        boxShadow="raised"
      >
        <div id={listId} role="listbox" aria-label={t('stock.adjust.found')}>
          {items.map((option, index) => (
            <Option
              key={option.key}
              id={`${listId}-${index}`}
              item={option}
              active={index === active}
              onChoose={() => choose(option)}
            />
          ))}
        </div>
        {isOpen && found?.text === text && items.length === 0 && (
          <chakra.p role="status" p="4" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {t('stock.adjust.noneFound', { text })}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}

function Option({
  id,
  item,
  active,
  onChoose,
}: {
  id: string;
  item: CatalogueItem;
  active: boolean;
  onChoose: () => void;
}) {
  return (
    <chakra.div
      id={id}
      role="option"
      aria-selected={active}
      ref={(element: HTMLDivElement | null) => {
        if (active) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onChoose}
      cursor="pointer"
      px="3"
      py="2"
      minHeight="12"
      display="flex"
      alignItems="center"
      bg={active ? 'accent.subtle' : 'transparent'}
      _hover={active ? {} : { bg: 'bg.hover' }}
    >
      <Flex flex="1" minWidth="0" align="center" justify="space-between" gap="3">
        <chakra.span minWidth="0" lineClamp="2" overflowWrap="anywhere">
          {item.name}
        </chakra.span>
        <QuantityText item={item} />
      </Flex>
    </chakra.div>
  );
}
