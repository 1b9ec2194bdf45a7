import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { followPopoverButtons } from './popover.ts';
import styles from './popover-panel.module.css';

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
  useEffect(followPopoverButtons, []);
  return (
    <dialog id={id} popover="auto" aria-label={label} className={styles['panel']}>
      {children}
    </dialog>
  );
}
