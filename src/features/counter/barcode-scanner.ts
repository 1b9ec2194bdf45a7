/**
 * Detects barcode scanners that act as a keyboard. A scanner types at least six characters, each within 30 ms of the one
 * before, then Enter or Tab. People do not type like that, so a scan is told from typing wherever the focus is.
 *
 * The characters of a code reach the focused field before the burst is recognised, so a scan carries a function that
 * removes them again.
 */
import { useEffect, useEffectEvent } from 'react';

const minimumScanLength = 6;
const maximumScanGapMs = 30;

export interface KeyStroke {
  key: string;
  atMs: number;
}

export interface ScanDetector {
  /** Takes the next key. Returns the code when this key ends a scan, else null. */
  press(stroke: KeyStroke): string | null;
  /** Number of characters in the current burst. */
  readonly burstLength: number;
}

export function createScanDetector(): ScanDetector {
  let buffer = '';
  let lastAtMs = Number.NEGATIVE_INFINITY;

  return {
    get burstLength() {
      return buffer.length;
    },
    press({ key, atMs }) {
      const isCharacter = key.length === 1;
      const ends = key === 'Enter' || key === 'Tab';
      if (!isCharacter && !ends) {
        // A code with capitals contains Shift or Caps Lock between its characters.
        if (key !== 'Shift' && key !== 'CapsLock') buffer = '';
        return null;
      }
      const inBurst = atMs - lastAtMs <= maximumScanGapMs;
      lastAtMs = atMs;
      if (isCharacter) {
        buffer = inBurst ? buffer + key : key;
        return null;
      }
      const code = inBurst && buffer.length >= minimumScanLength ? buffer : null;
      buffer = '';
      return code;
    },
  };
}

type TextElement = HTMLInputElement | HTMLTextAreaElement;

export interface Scan {
  code: string;
  endedWith: 'Enter' | 'Tab';
  /** The field that received the characters, if one had the focus. */
  field: TextElement | null;
  /** Restores the text that the field had before the burst. */
  restoreField: () => void;
}

export function useBarcodeScanner(onScan: (scan: Scan) => void): void {
  const report = useEffectEvent(onScan);
  useEffect(() => {
    const detector = createScanDetector();
    let before: { element: TextElement; value: string } | null = null;

    function listen(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
      const code = detector.press({ key: event.key, atMs: event.timeStamp });
      if (detector.burstLength === 1) {
        const element = focusedField();
        before = element && { element, value: element.value };
      }
      if (code === null) return;
      // Otherwise the final Enter or Tab would press a button or submit a form.
      event.preventDefault();
      event.stopImmediatePropagation();
      const saved = before;
      report({
        code,
        endedWith: event.key === 'Tab' ? 'Tab' : 'Enter',
        field: saved?.element ?? null,
        restoreField: () => saved && setFieldValue(saved.element, saved.value),
      });
    }

    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

function focusedField(): TextElement | null {
  const element = document.activeElement;
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element : null;
}

/** Sets the value through the native setter, which React does not track, so that React sees the change as typed. */
function setFieldValue(element: TextElement, value: string): void {
  const prototype = element instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
