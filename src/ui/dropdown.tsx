import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';

interface DropdownProps {
  label: string;
  /** Accessible name of button and panel, if the label is a value; the label is said with it. */
  name?: string;
  icon?: ReactNode;
  /** Shows the icon alone. */
  isIcon?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
  /** Aligns the panel with the end of the button, for a button at the end of its line; otherwise only on a phone. */
  alignEnd?: boolean;
}

/** The least room between a panel and the edge of the window, in pixels. */
const edge = 8;

/** Moves a panel that would reach beyond the window to its edge. The page would scroll sideways. */
function keepInWindow(panel: HTMLElement | null): void {
  if (!panel) return;
  panel.style.left = '';
  panel.style.right = '';
  const { left, right } = panel.getBoundingClientRect();
  const beyond = Math.max(0, right - (document.documentElement.clientWidth - edge)) || Math.min(0, left - edge);
  if (beyond === 0) return;
  panel.style.left = `${panel.offsetLeft - beyond}px`;
  panel.style.right = 'auto';
}

/** A button that opens a small panel below it. Escape or a tap elsewhere closes the panel. */
export function Dropdown({
  label,
  name,
  icon,
  isIcon = false,
  open,
  onOpenChange,
  children,
  alignEnd = false,
}: DropdownProps) {
  const panel = useId();
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLElement>(null);
  // At each render, because what is chosen in the panel may move the button.
  useLayoutEffect(() => keepInWindow(shown.current));
  useEffect(() => {
    if (!open) return;
    const closeOutside = ({ target }: Event) => {
      if (!frame.current?.contains(target as Node)) onOpenChange(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open, onOpenChange]);
  const opener = {
    'aria-expanded': open,
    'aria-controls': open ? panel : undefined,
    onClick: () => onOpenChange(!open),
  };
  return (
    <chakra.div
      ref={frame}
      position="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        onOpenChange(false);
        frame.current?.querySelector('button')?.focus();
      }}
    >
      {isIcon ? (
        <IconButton label={label} {...opener}>
          {icon}
        </IconButton>
      ) : (
        <Button aria-label={name && `${name}: ${label}`} {...opener}>
          {icon}
          <chakra.span whiteSpace="nowrap">{label}</chakra.span>
          <ChevronDown aria-hidden />
        </Button>
      )}
      {open && (
        <chakra.section
          ref={shown}
          id={panel}
          aria-label={name ?? label}
          position="absolute"
          top="calc(100% + 4px)"
          // On a phone the button may be at the end of the line, so the panel is aligned with the button's end.
          insetInlineStart={{ base: 'auto', md: alignEnd ? 'auto' : '0' }}
          insetInlineEnd={{ base: '0', md: alignEnd ? '0' : 'auto' }}
          zIndex="overlay"
          minWidth="18rem"
          p="1"
          bg="bg.surface"
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
          boxShadow="raised"
          animation="rise 140ms ease-out"
        >
          {children}
        </chakra.section>
      )}
    </chakra.div>
  );
}
