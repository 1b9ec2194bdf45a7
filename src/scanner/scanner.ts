/**
 * The one listener for barcode scanners. It sees each key before any page does, so that a scan is a scan wherever the focus is:
 *
 * - a field that received the characters gets back the text that it had, unless it is there for codes (`data-takes-codes`);
 * - Enter or Tab at the end presses no button and submits no form;
 * - the keypad of a PIN, which listens for keys outside fields (`onTypedKey`), hears of none that belong to a scan.
 *
 * The code goes to the page that asked for it (`onScan`), or else to the app, which says that nothing here takes it.
 */
import { createScanDetector } from './scan-detector.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What a field held before a burst. */
interface Held {
  field: Field;
  value: string;
  /** Null where text is not typed, and in the fields for an email, which tell of none. */
  selection: [start: number, end: number] | null;
}

/** Inputs that keys press or move. */
const pressed = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

const isTyped = (field: Field | undefined): boolean =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !pressed.has(field.type));

type KeyListener = (event: KeyboardEvent) => void;

/** No key of a scan comes so late. Nobody notices that a digit of a PIN does. */
const settledMs = 80;

let pageListener: ((code: string) => boolean) | null = null;
const keyListeners = new Set<KeyListener>();

/** Gives scans to a page until the returned function is called. It returns false for one that it does not take. */
export function onScan(listener: (code: string) => boolean): () => void {
  pageListener = listener;
  return () => {
    if (pageListener === listener) pageListener = null;
  };
}

/**
 * Calls the listener for each key that a person types, some milliseconds later, when no scan can have begun with it. A key that
 * was prevented, or that a field took, is among them; the listener looks.
 */
export function onTypedKey(listener: KeyListener): () => void {
  keyListeners.add(listener);
  return () => void keyListeners.delete(listener);
}

/** Starts listening. `onOther` has the scans that no page takes. Returns a function that ends it. */
export function startScanner(onOther: (code: string) => void): () => void {
  const detector = createScanDetector();
  let before: Held | null = null;
  let held: KeyboardEvent[] = [];
  let lastAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function release(): void {
    clearTimeout(timer);
    const keys = held;
    held = [];
    for (const event of keys) for (const listener of keyListeners) listener(event);
  }
  function settle(): void {
    // A busy page takes keys later than they were pressed.
    const remainingMs = lastAtMs + settledMs - performance.now();
    if (remainingMs > 0) {
      timer = setTimeout(settle, remainingMs);
      return;
    }
    const code = detector.pause();
    if (code === null) release();
    else report(code);
  }
  function report(code: string): void {
    clearTimeout(timer);
    held = [];
    if (before?.field.isConnected) restore(before);
    before = null;
    if (!pageListener?.(code)) onOther(code);
  }

  function listen(event: KeyboardEvent): void {
    if (event.metaKey || event.repeat || event.isComposing || takesCodes(document.activeElement)) return;
    const code = detector.press({ key: event.key, atMs: event.timeStamp, control: event.ctrlKey && !event.altKey });
    if (code !== null) {
      stop(event);
      report(code);
      return;
    }
    const focused = focusedField();
    const isFirst = detector.burstLength === 1;
    if (isFirst) release();
    // A shortcut may have moved the focus.
    if (isFirst || focused?.field !== before?.field) before = focused;
    // Within a burst a space presses no button and a letter chooses nothing. Text stays: a field gets its own back.
    if (detector.burstLength > 1 && !isTyped(focused?.field)) stop(event);
    held.push(event);
    lastAtMs = event.timeStamp;
    clearTimeout(timer);
    timer = setTimeout(settle, settledMs);
  }

  window.addEventListener('keydown', listen, { capture: true });
  return () => {
    window.removeEventListener('keydown', listen, { capture: true });
    clearTimeout(timer);
  };
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const takesCodes = (element: Element | null): boolean => element?.matches('[data-takes-codes]') ?? false;

function focusedField(): Held | null {
  const field = document.activeElement;
  if (field instanceof HTMLSelectElement) return { field, value: field.value, selection: null };
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return null;
  const { value, selectionStart, selectionEnd } = field;
  return { field, value, selection: selectionStart === null ? null : [selectionStart, selectionEnd ?? selectionStart] };
}

/** Sets the value through the native setter, which React does not track, so that React sees the change as made by a person. */
function restore({ field, value, selection }: Held): void {
  if (field.value !== value) {
    const prototype = Object.getPrototypeOf(field) as Field;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
  }
  // A field that was selected whole stays so: the next digit takes the place of its text.
  if (selection && !(field instanceof HTMLSelectElement)) field.setSelectionRange(...selection);
}
