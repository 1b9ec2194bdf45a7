import { chakra } from '@chakra-ui/react';
import { MoreHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { createPortal } from 'react-dom';
import { desk } from './desk.ts';
import { IconButton } from './icon-button.tsx';
import { hasPopovers, showPopover } from './popover.ts';

export interface MenuItem {
  key: string;
  label: string;
  icon?: ReactNode;
  isDangerous?: boolean;
  onSelect: () => void;
}

interface Place {
  right: number;
  top?: number;
  bottom?: number;
}

/** Below its button, or above it where there is more room. */
function placeAt(button: HTMLElement): Place {
  const { right, top, bottom } = button.getBoundingClientRect();
  const end = Math.max(8, document.documentElement.clientWidth - right);
  return innerHeight - bottom < top && innerHeight - bottom < 240
    ? { right: end, bottom: innerHeight - top + 4 }
    : { right: end, top: bottom + 4 };
}

/** The actions on a thing, behind three dots. The menu lies over the page, so that no table cuts it, and belongs to the landmark of its button. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const close = () => setPlace(null);
  return (
    <>
      <IconButton
        ref={button}
        size="sm"
        label={label}
        aria-haspopup="menu"
        aria-expanded={place !== null}
        aria-controls={place ? id : undefined}
        onClick={() => setPlace(place ? null : placeAt(button.current!))}
      >
        <MoreHorizontal />
      </IconButton>
      {place && <Panel id={id} label={label} items={items} place={place} opener={button} onClose={close} />}
    </>
  );
}

interface PanelProps {
  id: string;
  label: string;
  items: readonly MenuItem[];
  place: Place;
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Panel({ id, label, items, place, opener, onClose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    showPopover(panel.current);
    panel.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
    const end = new AbortController();
    const closeOutside = ({ target }: Event) => {
      if (!panel.current?.contains(target as Node) && !opener.current?.contains(target as Node)) onClose();
    };
    document.addEventListener('pointerdown', closeOutside, { capture: true, signal: end.signal });
    // It would stay where it is while its button moves. The event of an earlier scroll may still arrive, and moves nothing.
    const opened = opener.current?.getBoundingClientRect();
    const closeMoved = () => {
      const { right, top } = opener.current!.getBoundingClientRect();
      if (right !== opened?.right || top !== opened.top) onClose();
    };
    for (const [source, event] of [
      [document, 'scroll'],
      [window, 'resize'],
    ] as const)
      source.addEventListener(event, closeMoved, { capture: true, signal: end.signal });
    return () => end.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- A menu belongs to one button.
  }, []);
  function press(event: KeyboardEvent<HTMLElement>) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) all.at(next % all.length)?.focus();
    else if (event.key === 'Escape') opener.current?.focus();
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    if (next !== undefined || event.key === 'Escape') event.preventDefault();
    event.stopPropagation();
  }
  const menu = (
    <chakra.div
      ref={panel}
      id={id}
      role="menu"
      popover="manual"
      aria-label={label}
      onKeyDown={press}
      style={{ top: 'auto', bottom: 'auto', left: 'auto', ...place }}
      position="fixed"
      m="0"
      zIndex="overlay"
      minWidth="11rem"
      maxWidth="18rem"
      p="1"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      boxShadow="raised"
      animation="rise 120ms ease-out"
    >
      {items.map(({ key, label: text, icon, isDangerous, onSelect }) => (
        <chakra.button
          key={key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            // A dialog that opens now gives the focus back to it.
            opener.current?.focus({ preventScroll: true });
            onSelect();
          }}
          display="flex"
          alignItems="center"
          gap="3"
          width="full"
          minHeight="12"
          px="3"
          borderRadius="md"
          textAlign="start"
          fontSize="sm"
          cursor="pointer"
          color={isDangerous ? 'refused.fg' : 'fg'}
          _hover={{ bg: 'bg.hover' }}
          _focusVisible={{ outlineOffset: '-3px' }}
          css={{
            '& svg': { width: '18px', height: '18px', flexShrink: 0 },
            [desk]: { minHeight: '2.25rem' },
          }}
        >
          {icon}
          {text}
        </chakra.button>
      ))}
    </chakra.div>
  );
  // Where nothing can be above all others, a table would cut it.
  return hasPopovers() ? menu : createPortal(menu, document.body);
}
