import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface PopoverPanelProps {
  /**
   * Id of the panel. A button with this id as its `popoverTarget` opens the panel; one with
   * `popoverTargetAction="hide"` as well closes it.
   */
  id: string;
  label: string;
  children: ReactNode;
}

/** A small panel at the top right corner. The browser keeps it on top, and closes it on Escape or a tap elsewhere. */
export function PopoverPanel({ id, label, children }: PopoverPanelProps) {
  return (
    <chakra.dialog
      id={id}
      popover="auto"
      aria-label={label}
      position="fixed"
      inset="auto"
      top="calc(4rem + env(safe-area-inset-top))"
      insetInlineEnd={{ base: '2', md: '4' }}
      width="min(20rem, calc(100vw - 1rem))"
      maxHeight="calc(100dvh - 5rem)"
      overflowY="auto"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      boxShadow="raised"
      animation="rise 140ms ease-out"
    >
      {children}
    </chakra.dialog>
  );
}
