import { chakra, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { useModal } from './use-modal.ts';

interface FullDialogProps {
  onClose: () => void;
  closeLabel: string;
  title: string;
  children: ReactNode;
  /** Buttons, always visible; the main one comes last. */
  actions: ReactNode;
}

/** A modal dialog that fills the window, for work such as a long form. It is open while it is mounted. */
export function FullDialog({ onClose, closeLabel, title, children, actions }: FullDialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const titleId = useId();
  useModal(element);
  // The browser would focus the close button. From the content, the next Tab leads to the first field.
  useEffect(() => content.current?.focus(), []);
  return (
    <chakra.dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The event bubbles from a cancelled file picker as well.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      position="fixed"
      insetInline="0"
      top="var(--visible-top)"
      width="100vw"
      height="var(--visible-height)"
      maxWidth="none"
      maxHeight="none"
      bg="bg"
      color="fg"
      overflow="hidden"
      _open={{ animation: 'rise 160ms ease-out' }}
    >
      <Flex
        direction="column"
        height="100%"
        paddingTop="env(safe-area-inset-top)"
        paddingInline="env(safe-area-inset-left) env(safe-area-inset-right)"
      >
        <Flex
          align="center"
          gap="2"
          minHeight={{ base: '12', md: '16' }}
          css={{ '@media (height < 30rem)': { minHeight: '3rem' } }}
          ps={{ base: '4', md: '8' }}
          pe={{ base: '2', md: '6' }}
          bg="bg.surface"
          borderBottomWidth="1px"
          borderColor="border"
        >
          <chakra.h2 id={titleId} flex="1" minWidth="0" fontSize="lg" fontWeight="semibold" truncate>
            {title}
          </chakra.h2>
          <IconButton label={closeLabel} onClick={onClose}>
            <X />
          </IconButton>
        </Flex>
        <chakra.div
          ref={content}
          tabIndex={-1}
          flex="1"
          minHeight="0"
          overflowY="auto"
          overscrollBehavior="contain"
          outline="none"
        >
          {children}
        </chakra.div>
        <Flex
          justify="flex-end"
          gap="2"
          px={{ base: '4', md: '8' }}
          pt="3"
          pb="calc(0.75rem + env(safe-area-inset-bottom))"
          bg="bg.surface"
          borderTopWidth="1px"
          borderColor="border"
        >
          {actions}
        </Flex>
      </Flex>
    </chakra.dialog>
  );
}
