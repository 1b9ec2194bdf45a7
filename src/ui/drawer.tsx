import { chakra } from '@chakra-ui/react';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useModal } from './use-modal.ts';

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  label: string;
  children: ReactNode;
  side?: 'start' | 'end';
  width?: string;
}

/** A panel over one side of the page: `start` for a menu that does not fit beside the page, `end` for details. */
export function Drawer({ open, onClose, label, children, side = 'start', width = '20rem' }: DrawerProps) {
  const element = useRef<HTMLDialogElement>(null);
  useModal(element, open);
  return (
    <chakra.dialog
      ref={element}
      aria-label={label}
      data-side={side}
      onCancel={(event) => {
        // The event bubbles from a dialog inside the drawer as well.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
      position="fixed"
      top="var(--visible-top)"
      insetInlineStart={side === 'start' ? '0' : 'auto'}
      insetInlineEnd={side === 'end' ? '0' : 'auto'}
      width={`min(${width}, ${side === 'start' ? '85vw' : '100vw'})`}
      maxWidth="none"
      height="var(--visible-height)"
      maxHeight="none"
      paddingTop="env(safe-area-inset-top)"
      paddingInlineStart={side === 'start' ? 'env(safe-area-inset-left)' : undefined}
      paddingInlineEnd={side === 'end' ? 'env(safe-area-inset-right)' : undefined}
      bg="bg.surface"
      color="fg"
      boxShadow="raised"
      _backdrop={{ bg: 'backdrop' }}
      overflow="hidden"
      _open={{
        display: 'flex',
        flexDirection: 'column',
        animation: `${side === 'start' ? 'enterStart' : 'enterEnd'} 160ms ease-out`,
      }}
    >
      {open && children}
    </chakra.dialog>
  );
}
