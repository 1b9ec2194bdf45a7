import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { IconButton } from './icon-button.tsx';
import { Parts } from './parts.tsx';
import { hidePopover, showPopover } from './popover.ts';
import styles from './toaster.module.css';
import { toneVariables } from './tone.ts';

export type ToastTone = 'success' | 'info' | 'warning' | 'error';

export interface ToastContent {
  tone: ToastTone;
  title: string;
  text?: string | undefined;
  /** Button for an action such as undo, which also closes the toast. */
  action?: { label: string; onClick: () => void } | undefined;
  /** True of a message that shows until it is taken back or dismissed. */
  stays?: boolean;
}

interface Toast extends ToastContent {
  id: number;
}

const durationsMs: Record<ToastTone, number> = { success: 4000, info: 4000, warning: 5000, error: 6000 };
const mostAtOnce = 3;
const looks = {
  success: { Icon: CircleCheck, tone: 'paid' },
  info: { Icon: Info, tone: 'accent' },
  warning: { Icon: TriangleAlert, tone: 'due' },
  error: { Icon: CircleAlert, tone: 'refused' },
} as const;

const useToasts = create<{ toasts: Toast[]; bar: HTMLElement | null }>(() => ({ toasts: [], bar: null }));
let lastId = 0;
/** The room above and below the toasts. */
const gapPx = 16;

function setRoot(name: string, value: string | null): void {
  if (value === null) document.documentElement.style.removeProperty(name);
  else document.documentElement.style.setProperty(name, value);
}

/** Tells where the page begins beside a sidebar; null without one. Toasts begin there too. */
export const setContentStart = (width: string | null): void => setRoot('--content-start', width);

const dismiss = (id: number) =>
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));

/**
 * Shows a message for a few seconds. A message that users must not miss belongs in a banner.
 *
 * @returns a function that takes it back
 */
export function toast(content: ToastContent): () => void {
  lastId += 1;
  const added = { ...content, id: lastId };
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts, added].slice(-mostAtOnce) }));
  return () => dismiss(added.id);
}

/** The free part of a bar, where the last toast shows if it fits: it hides nothing there and takes no room of the content. */
export function ToastBar({ className }: { className?: string | undefined }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    useToasts.setState({ bar: bar.current });
    return () => useToasts.setState({ bar: null });
  }, []);
  return <div ref={bar} className={className} />;
}

/** Narrower, a toast of two lines would be cut. */
const narrowestBarPx = 280;

/** Puts the region into a bar. Returns whether it fits. */
function putInto(bar: HTMLElement, region: HTMLElement): boolean {
  const { top, left, width, height } = bar.getBoundingClientRect();
  region.dataset['inBar'] = '';
  region.style.setProperty('--bar-top', `${top}px`);
  region.style.setProperty('--bar-left', `${left}px`);
  region.style.setProperty('--bar-width', `${width}px`);
  region.style.setProperty('--bar-height', `${height}px`);
  const card = region.lastElementChild as HTMLElement;
  if (width >= narrowestBarPx && card.offsetHeight <= height) return true;
  delete region.dataset['inBar'];
  return false;
}

/**
 * Shows the toasts in the bar of the screen, or else at the lower start, in a place of their own: the content there ends above
 * them, by `--toast-room`. Nothing moves for it, because that content is a list which begins at its top. The app mounts it once.
 */
export function Toaster({ label, dismissLabel }: { label: string; dismissLabel: string }) {
  const { toasts, bar } = useToasts();
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const shown = region.current!;
    // A popover is above only those dialogs that opened before it, so each new toast opens it again.
    hidePopover(shown);
    if (toasts.length > 0) showPopover(shown);
    const place = (): void => {
      delete shown.dataset['inBar'];
      const needsRoom = toasts.length > 0 && !(bar && putInto(bar, shown));
      setRoot('--toast-room', needsRoom ? `${shown.offsetHeight + gapPx}px` : null);
    };
    place();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [toasts, bar]);
  useEffect(() => () => setRoot('--toast-room', null), []);
  return (
    <section ref={region} popover="manual" aria-label={label} aria-live="polite" className={styles['region']}>
      {toasts.map((each) => (
        <ToastCard key={each.id} toast={each} dismissLabel={dismissLabel} />
      ))}
    </section>
  );
}

function ToastCard({
  toast: { id, tone, title, text, action, stays = false },
  dismissLabel,
}: {
  toast: Toast;
  dismissLabel: string;
}) {
  const [held, setHeld] = useState(stays);
  const { Icon, tone: colours } = looks[tone];
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(id), durationsMs[tone]);
    return () => clearTimeout(timer);
  }, [held, id, tone]);
  return (
    <div
      className={styles['toast']}
      style={toneVariables(colours)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(stays)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(stays)}
    >
      <span className={styles['icon']} aria-hidden>
        <Icon size={20} />
      </span>
      <div className={styles['message']}>
        <p className={styles['title']}>{title}</p>
        {text && (
          <p className={styles['text']}>
            <Parts parts={text.split(' · ')} />
          </p>
        )}
      </div>
      {action && (
        <button
          type="button"
          className={styles['action']}
          onClick={() => {
            dismiss(id);
            action.onClick();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={dismissLabel} onClick={() => dismiss(id)}>
        <X />
      </IconButton>
    </div>
  );
}
