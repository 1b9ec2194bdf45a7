import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface DropdownProps {
  label: string;
  icon?: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** A button with a small panel below it, which closes on Escape or a tap elsewhere. */
export function Dropdown({ label, icon, open, onOpenChange, children }: DropdownProps) {
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
      <Button aria-expanded={open} aria-controls={open ? panel : undefined} onClick={() => onOpenChange(!open)}>
        {icon}
        {label}
        <ChevronDown aria-hidden />
      </Button>
      {open && (
        <chakra.section
          id={panel}
          aria-label={label}
          position="absolute"
          top="calc(100% + 4px)"
          // On a phone the button may stand at the far edge, so the panel ends where it does.
          insetInlineStart={{ base: 'auto', md: '0' }}
          insetInlineEnd={{ base: '0', md: 'auto' }}
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
