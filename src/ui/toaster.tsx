import { chakra, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { IconButton } from './icon-button.tsx';

export type ToastTone = 'success' | 'info' | 'warning' | 'error';

export interface ToastContent {
  tone: ToastTone;
  title: string;
  text?: string | undefined;
  /** Button for an action such as undo, which also closes the toast. */
  action?: { label: string; onClick: () => void } | undefined;
}

interface Toast extends ToastContent {
  id: number;
}

const durationsMs: Record<ToastTone, number> = { success: 4000, info: 4000, warning: 5000, error: 6000 };
const mostAtOnce = 3;
const looks = {
  success: { Icon: CircleCheck, color: 'paid.fg' },
  info: { Icon: Info, color: 'accent.fg' },
  warning: { Icon: TriangleAlert, color: 'due.fg' },
  error: { Icon: CircleAlert, color: 'refused.fg' },
};

const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }));
let lastId = 0;

const dismiss = (id: number) =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));

/** Shows a message for a few seconds. A message that users must not miss belongs in a banner. */
export function toast(content: ToastContent): void {
  lastId += 1;
  const added = { ...content, id: lastId };
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts, added].slice(-mostAtOnce) }));
}

/** Shows the toasts. The app mounts it once. */
export function Toaster({ label, dismissLabel }: { label: string; dismissLabel: string }) {
  const toasts = useToasts((state) => state.toasts);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    // A popover is above only those dialogs that opened before it, so each new toast opens it again.
    region.current?.hidePopover();
    if (toasts.length > 0) region.current?.showPopover();
  }, [toasts]);
  return (
    <chakra.section
      ref={region}
      popover="manual"
      aria-label={label}
      aria-live="polite"
      position="fixed"
      inset="auto"
      // On a phone at the top, because the plan and the main buttons are at the bottom. On wider screens at the start,
      // because the main buttons are at the end.
      top={{ base: 'calc(4.5rem + env(safe-area-inset-top))', md: 'auto' }}
      bottom={{ base: 'auto', md: 'calc(1rem + env(safe-area-inset-bottom))' }}
      insetInline="0"
      mx={{ base: 'auto', md: '4' }}
      width="min(28rem, calc(100vw - 2rem))"
      bg="transparent"
      overflow="visible"
    >
      <Flex direction="column" gap="2">
        {toasts.map((each) => (
          <ToastCard key={each.id} toast={each} dismissLabel={dismissLabel} />
        ))}
      </Flex>
    </chakra.section>
  );
}

function ToastCard({ toast: { id, tone, title, text, action }, dismissLabel }: { toast: Toast; dismissLabel: string }) {
  const [held, setHeld] = useState(false);
  const { Icon, color } = looks[tone];
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(id), durationsMs[tone]);
    return () => clearTimeout(timer);
  }, [held, id, tone]);
  return (
    <Flex
      align="center"
      gap="3"
      ps="4"
      pe="1"
      py="1"
      minHeight="14"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="md"
      boxShadow="raised"
      animation="rise 160ms ease-out"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Flex color={color} aria-hidden>
        <Icon size={20} />
      </Flex>
      <Flex direction="column" flex="1" minWidth="0" py="2">
        <chakra.p fontWeight="medium" lineHeight="1.35">
          {title}
        </chakra.p>
        {text && (
          <chakra.p fontSize="sm" color="fg.muted">
            {text}
          </chakra.p>
        )}
      </Flex>
      {action && (
        <chakra.button
          type="button"
          minHeight="12"
          px="3"
          fontWeight="semibold"
          color="accent.fg"
          cursor="pointer"
          borderRadius="md"
          _hover={{ bg: 'bg.hover' }}
          onClick={() => {
            dismiss(id);
            action.onClick();
          }}
        >
          {action.label}
        </chakra.button>
      )}
      <IconButton label={dismissLabel} onClick={() => dismiss(id)}>
        <X />
      </IconButton>
    </Flex>
  );
}
