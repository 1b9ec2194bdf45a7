import { chakra, Flex } from '@chakra-ui/react';
import { AnimatePresence, LazyMotion, domAnimation, m } from 'framer-motion';
import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  children: ReactNode;
}

/** A downward drag of the title bar by at least this many pixels closes the sheet. */
const dragPx = 48;

export function MovingSheet({ open, onClose, title, closeLabel, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const dragFrom = useRef<number | null>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
  }, [open]);
  // As in `useModal`: only a sheet that is still in the page gives the focus back.
  useLayoutEffect(() => {
    const sheet = dialog.current;
    return () => sheet?.close();
  }, []);
  return (
    <chakra.dialog
      ref={dialog}
      data-plan
      aria-labelledby={titleId}
      onCancel={(event) => {
        // The event bubbles from a dialog inside the sheet as well.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      position="fixed"
      insetInline="0"
      top="var(--visible-top)"
      width="100vw"
      height="var(--visible-height)"
      maxWidth="none"
      maxHeight="none"
      bg="transparent"
      color="fg"
      overflow="hidden"
      _backdrop={{ bg: open ? 'backdrop' : 'transparent', transition: 'background-color 160ms' }}
    >
      <LazyMotion features={domAnimation}>
        <AnimatePresence onExitComplete={() => dialog.current?.close()}>
          {open && (
            <m.section
              initial={{ y: '100%' }}
              animate={{ y: 0 }}
              exit={{ y: '100%' }}
              transition={{ duration: 0.18, ease: [0.2, 0, 0, 1] }}
              style={{ position: 'absolute', insetInline: 0, bottom: 0 }}
            >
              <Flex
                direction="column"
                maxHeight="calc(0.88 * var(--visible-height))"
                bg="bg.surface"
                borderTopRadius="md"
                boxShadow="raised"
                paddingBottom="env(safe-area-inset-bottom)"
                paddingInline="env(safe-area-inset-left) env(safe-area-inset-right)"
              >
                <Flex
                  align="center"
                  justify="space-between"
                  ps="4"
                  pe="2"
                  flexShrink={0}
                  height="16"
                  borderBottomWidth="1px"
                  borderColor="border"
                  css={{ '@media (height < 30rem)': { height: '3rem' } }}
                  touchAction="none"
                  onPointerDown={(event) => {
                    dragFrom.current = event.clientY;
                    if (event.target === event.currentTarget) event.currentTarget.setPointerCapture(event.pointerId);
                  }}
                  onPointerUp={(event) => {
                    if (dragFrom.current !== null && event.clientY - dragFrom.current >= dragPx) onClose();
                    dragFrom.current = null;
                  }}
                >
                  <chakra.h2 id={titleId} fontSize="lg" fontWeight="semibold">
                    {title}
                  </chakra.h2>
                  <IconButton label={closeLabel} onClick={onClose}>
                    <X />
                  </IconButton>
                </Flex>
                <Flex direction="column" minHeight="0" overflowY="auto" overscrollBehavior="contain">
                  {children}
                </Flex>
              </Flex>
            </m.section>
          )}
        </AnimatePresence>
      </LazyMotion>
    </chakra.dialog>
  );
}
