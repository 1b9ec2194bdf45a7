import { useEffect, useEffectEvent } from 'react';

interface Shortcuts {
  /** `/` outside a field. */
  onSearch: () => void;
  /** Control (or Command) and Enter, anywhere. */
  onPayment: () => void;
}

/** The keys that work anywhere on the counter, unless a dialog is open. */
export function useShortcuts({ onSearch, onPayment }: Shortcuts): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.key === '/' && !event.ctrlKey && !event.metaKey && !typesInto(event.target)) {
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

function typesInto(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
