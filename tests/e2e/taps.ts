/** Counts what a person's hand does in a flow. */
import type { Page } from '@playwright/test';

export interface Effort {
  /** Pressed pointers; two for each choice from a native list, which opens and closes. */
  taps: number;
  /** Pressed keys; a shortcut is one key. */
  keys: number;
}

declare global {
  interface Window {
    effort?: Effort & { isFilled: boolean };
  }
}

/**
 * Runs a flow that reloads nothing, and counts its taps and keys. A field is typed into with `pressSequentially`:
 * `fill` presses no key and would cost nothing.
 */
export async function countTaps(page: Page, flow: () => Promise<void>): Promise<Effort> {
  await page.evaluate(listen);
  await flow();
  const effort = await page.evaluate(() => window.effort);
  if (!effort) throw new Error('The flow has left the page, so its taps are unknown.');
  if (effort.isFilled) throw new Error('A field of the flow was filled without keys.');
  return { taps: effort.taps, keys: effort.keys };
}

function listen(): void {
  if (window.effort) {
    Object.assign(window.effort, { taps: 0, keys: 0, isFilled: false });
    return;
  }
  const effort = { taps: 0, keys: 0, isFilled: false };
  window.effort = effort;
  const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);
  /** Keys that have not changed a field yet. */
  let typed = 0;
  addEventListener(
    'pointerdown',
    () => {
      effort.taps += 1;
    },
    { capture: true },
  );
  addEventListener(
    'keydown',
    ({ key }) => {
      if (modifiers.has(key)) return;
      effort.keys += 1;
      typed += 1;
    },
    { capture: true },
  );
  addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLSelectElement) effort.taps += 2;
      else if (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && isTyped(target))) {
        if (typed === 0) effort.isFilled = true;
        typed = Math.max(0, typed - 1);
      }
    },
    { capture: true },
  );
  function isTyped({ type }: HTMLInputElement): boolean {
    return !['checkbox', 'radio', 'range', 'file', 'color', 'date'].includes(type);
  }
}
