import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useEffectEvent } from 'react';

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
    <Flex
      as="span"
      aria-hidden
      display="none"
      align="center"
      gap="1"
      fontSize="sm"
      fontWeight="normal"
      color="inherit"
      whiteSpace="nowrap"
      css={{ '@media (hover: hover) and (pointer: fine)': { display: 'inline-flex' } }}
    >
      {keys.map((key) => (
        <chakra.kbd
          key={key}
          px="1.5"
          minWidth="6"
          textAlign="center"
          borderWidth="1px"
          borderColor="currentColor"
          borderRadius="md"
          fontFamily="body"
          fontSize="sm"
          lineHeight="1.5"
        >
          {key}
        </chakra.kbd>
      ))}
    </Flex>
  );
}
