/* oxlint-disable jsx-a11y/prefer-tag-over-role -- The browser's own list can neither search the catalogue nor show levels. */
import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { Search, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { searchStock, stockByBarcode } from '#src/db/queries/stock-levels.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { QuantityText } from '../quantity-text.tsx';

const offered = 8;

interface ItemPickerProps {
  label: string;
  hint?: string | undefined;
  /** The chosen item; without it the field is cleared after each choice. */
  item?: CatalogueItem | undefined;
  /** Ids of items that are not offered. */
  exclude?: readonly number[];
  onChoose: (item: CatalogueItem | null) => void;
  ref?: Ref<HTMLInputElement>;
}

const none: readonly number[] = [];

/**
 * Finds a stock item by the start of its name, or by its barcode: a scanner types the code and sends Enter. Leaving the
 * field discards the typed text; the chosen item stays until another is chosen.
 */
export function ItemPicker({ label, hint, item, exclude = none, onChoose, ref }: ItemPickerProps) {
  const { t } = useTranslation();
  const listId = useId();
  /** The typed text; null while the list is closed. */
  const [text, setText] = useState<string | null>(null);
  /** The item selected with the arrow keys, by its id because the list may still change. */
  const [activeId, setActiveId] = useState<number | null>(null);
  const search = async (typed: string, limit: number) => {
    const items = await searchStock(db, { text: typed, limit: limit + exclude.length });
    return items.filter(({ id }) => !exclude.includes(id)).slice(0, limit);
  };
  const found =
    useLiveQuery(async () => text !== null && { text, items: await search(text, offered) }, [text, exclude]) || null;
  const isOpen = text !== null;
  const items = isOpen && found ? found.items : [];
  const activeItem = items.find(({ id }) => id === activeId);
  const activeIndex = activeItem ? items.indexOf(activeItem) : 0;

  function type(typed: string | null) {
    setText(typed);
    setActiveId(null);
  }
  function choose(chosen: CatalogueItem) {
    type(null);
    onChoose(chosen);
  }
  /** Chooses the match for the current text, even if the list still shows the results of an earlier one. */
  async function chooseTyped(typed: string) {
    const scanned = await stockByBarcode(db, typed.trim());
    const named = found?.text === typed ? found.items[0] : (await search(typed, 1))[0];
    const chosen = scanned ?? named;
    if (chosen) choose(chosen);
  }
  function move(step: 1 | -1) {
    if (!isOpen) type('');
    else if (items.length > 0) setActiveId(items[(activeIndex + step + items.length) % items.length]!.id);
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const typed = event.currentTarget.value;
    const act = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      // Enter in this field never submits the form.
      Enter: () => void (activeItem ? choose(activeItem) : isOpen && chooseTyped(typed)),
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
        data-takes-codes
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={items[activeIndex] ? `${listId}-${activeIndex}` : undefined}
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
        // Keeps the focus in the field when the list is pressed; losing it would close the list.
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
              active={index === activeIndex}
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
