import { useEffect, useEffectEvent } from 'react';
import styles from './keyboard-shortcuts.module.css';

interface Shortcuts {
  /** `/` outside a field. */
  onSearch: () => void;
  /** Control (or Command) and Enter, anywhere. */
  onPayment: () => void;
}

/** Handles the shortcuts of the whole counter screen, unless a dialog is open. */
export function useShortcuts({ onSearch, onPayment }: Shortcuts): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !isField(event.target)) {
      event.preventDefault();
      onSearch();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) {
      event.preventDefault();
      onPayment();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Shows the keys of a shortcut on devices with a mouse, which are likely to have a keyboard. */
export function KeyHint({ keys }: { keys: string[] }) {
  return (
    <span className={styles['hint']} aria-hidden>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
