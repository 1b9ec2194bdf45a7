/* oxlint-disable jsx-a11y/prefer-tag-over-role -- The browser's own list can neither search records nor group them with icons. */
import { chakra, Flex } from '@chakra-ui/react';
import { CornerDownLeft, ReceiptText, Search, Tags, UserRound, Users, Zap } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ComponentType, KeyboardEvent, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { pathOf } from '#src/navigation/path-of.ts';
import { useModal } from '#src/ui/use-modal.ts';
import type { Section, SectionName } from '../sections.tsx';
import { sectionIcons } from '../shells/section-icons.ts';
import { useUser } from '../shells/signed-in.tsx';
import { findKinds } from './finds.ts';
import type { Find } from './finds.ts';
import { useFinds } from './use-finds.ts';

interface PaletteProps {
  sections: readonly Section[];
  onClose: () => void;
}

const icons: Record<Exclude<Find['kind'], 'page'>, ComponentType<{ size?: number }>> = {
  action: Zap,
  patient: UserRound,
  treatment: ReceiptText,
  service: Tags,
  person: Users,
};

/** Finds pages, actions and records by a few letters. It is open while it is mounted. */
export function Palette({ sections, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { role } = useUser();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const finds = useFinds(text.trim(), sections);
  useModal(element);
  const current = finds[Math.min(chosen, finds.length - 1)];
  const optionId = ({ kind, id: of }: Find) => `${id}-${kind}-${of}`;

  function open({ path, run }: Find) {
    onClose();
    run?.();
    if (path !== undefined) void navigate(path.startsWith('/') ? path : pathOf(role, path));
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && finds.length > 0) {
      event.preventDefault();
      const next = (Math.min(chosen, finds.length - 1) + step + finds.length) % finds.length;
      setChosen(next);
      document.getElementById(optionId(finds[next]!))?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault();
      open(current);
    }
  }

  return (
    <PaletteDialog element={element} onClose={onClose}>
      <SearchField
        text={text}
        listId={`${id}-list`}
        isExpanded={finds.length > 0}
        currentId={current && optionId(current)}
        onText={(typed) => {
          setText(typed);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <FindList
        id={`${id}-list`}
        finds={finds}
        current={current}
        optionId={optionId}
        onOpen={open}
        onPoint={(find) => setChosen(finds.indexOf(find))}
      />
      {finds.length === 0 && (
        <chakra.p role="status" px="5" pb="5" color="fg.muted">
          {t('palette.nothing')}
        </chakra.p>
      )}
    </PaletteDialog>
  );
}

interface PaletteDialogProps {
  element: RefObject<HTMLDialogElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** Is closed by Escape and by a tap outside of it. */
function PaletteDialog({ element, onClose, children }: PaletteDialogProps) {
  const { t } = useTranslation();
  return (
    <chakra.dialog
      ref={element}
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
      top="calc(var(--visible-top) + min(12vh, 6rem))"
      mx="auto"
      width="calc(100vw - 2rem)"
      maxWidth="38rem"
      maxHeight="calc(var(--visible-height) - 8rem)"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      boxShadow="raised"
      overflow="hidden"
      _open={{ display: 'flex', flexDirection: 'column', animation: 'rise 140ms ease-out' }}
      _backdrop={{ bg: 'backdrop' }}
    >
      {children}
    </chakra.dialog>
  );
}

interface SearchFieldProps {
  text: string;
  listId: string;
  isExpanded: boolean;
  /** The option that the keys have chosen. */
  currentId: string | undefined;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The field keeps the focus while its keys choose in the list. */
function SearchField({ text, listId, isExpanded, currentId, onText, onKeyDown }: SearchFieldProps) {
  const { t } = useTranslation();
  return (
    <Flex align="center" gap="3" px="4" borderBottomWidth="1px" borderColor="border" flexShrink={0}>
      <Search size={20} aria-hidden />
      <chakra.input
        type="text"
        role="combobox"
        aria-label={t('palette.search')}
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={currentId}
        aria-autocomplete="list"
        placeholder={t('palette.search')}
        value={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onKeyDown}
        flex="1"
        minWidth="0"
        height="14"
        bg="transparent"
        outline="none"
      />
    </Flex>
  );
}

interface FindListProps {
  id: string;
  finds: readonly Find[];
  current: Find | undefined;
  optionId: (find: Find) => string;
  onOpen: (find: Find) => void;
  onPoint: (find: Find) => void;
}

/** The finds, grouped by their kinds. */
function FindList({ id, finds, current, optionId, onOpen, onPoint }: FindListProps) {
  const { t } = useTranslation();
  return (
    <chakra.div
      id={id}
      role="listbox"
      aria-label={t('palette.results')}
      overflowY="auto"
      overscrollBehavior="contain"
      p="2"
    >
      {findKinds.map((kind) => {
        const own = finds.filter((find) => find.kind === kind);
        return (
          own.length > 0 && (
            <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
              <chakra.p
                id={`${id}-${kind}`}
                role="presentation"
                px="3"
                pt="2"
                pb="1"
                fontSize="sm"
                fontWeight="medium"
                color="fg.muted"
              >
                {t(`palette.kinds.${kind}`)}
              </chakra.p>
              {own.map((find) => (
                <Option
                  key={find.id}
                  id={optionId(find)}
                  find={find}
                  isChosen={find === current}
                  onOpen={() => onOpen(find)}
                  onPoint={() => onPoint(find)}
                />
              ))}
            </div>
          )
        );
      })}
    </chakra.div>
  );
}

interface OptionProps {
  id: string;
  find: Find;
  isChosen: boolean;
  onOpen: () => void;
  onPoint: () => void;
}

function Option({ id, find, isChosen, onOpen, onPoint }: OptionProps) {
  const Icon = find.kind === 'page' ? sectionIcons[find.id as SectionName] : icons[find.kind];
  return (
    // The field keeps the focus, and its keys choose.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- See above.
    <chakra.div
      id={id}
      role="option"
      aria-selected={isChosen}
      onClick={onOpen}
      onPointerMove={onPoint}
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="10"
      px="3"
      borderRadius="md"
      cursor="pointer"
      bg={isChosen ? 'accent.subtle' : 'transparent'}
      color={isChosen ? 'accent.fg' : 'fg'}
      css={{ '@media (pointer: coarse)': { minHeight: '3rem' }, '& svg': { flexShrink: 0 } }}
    >
      <Icon size={18} aria-hidden />
      <chakra.span truncate fontWeight="medium">
        {find.title}
      </chakra.span>
      <chakra.span truncate flex="1" color="fg.muted" fontSize="sm">
        {find.detail}
      </chakra.span>
      {isChosen && <CornerDownLeft size={16} aria-hidden />}
    </chakra.div>
  );
}
