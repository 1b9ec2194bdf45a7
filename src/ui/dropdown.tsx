import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
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
          {label}
          <ChevronDown aria-hidden />
        </Button>
      )}
      {open && (
        <chakra.section
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
