/**
 * Hears a wedge scanner anywhere on the counter. The characters of a code reach whatever field has the focus before the
 * burst can be told from typing, so a scan carries the way to take them out again.
 */
import { useEffect, useEffectEvent } from 'react';
import { createScanDetector } from './barcode-scanner.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

export interface Scan {
  code: string;
  endedWith: 'Enter' | 'Tab';
  /** The field that received the characters, if one had the focus. */
  field: TextElement | null;
  /** Gives the field back the text that it had before the burst. */
  restoreField: () => void;
}

export function useWedgeScanner(onScan: (scan: Scan) => void): void {
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
      // The end key would otherwise press a button or send a form.
      event.preventDefault();
      event.stopImmediatePropagation();
      const held = before;
      report({
        code,
        endedWith: event.key === 'Tab' ? 'Tab' : 'Enter',
        field: held?.element ?? null,
        restoreField: () => held && setFieldValue(held.element, held.value),
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

/** Sets the value past React's own property, so that the change reaches the component as if it had been typed. */
function setFieldValue(element: TextElement, value: string): void {
  const prototype = element instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
