import type { Page } from '@playwright/test';

const aheadSeconds = 2;
/** From the end of a scan to the next one, at least. */
const betweenSeconds = 0.5;
/** The time of the last key of each page's scanner. */
const lastKey = new WeakMap<Page, number>();

/**
 * Types a code as a scanner does, 5 ms from key to key, and then Enter. The keyboard's clock is ahead of the page's, so that a busy
 * machine takes no pause for the end of the code.
 */
export async function scan(page: Page, code: string, end: 'Enter' | 'Tab' | null = 'Enter'): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const now = (await page.evaluate(() => performance.timeOrigin + performance.now())) / 1000;
  let timestamp = Math.max(now + aheadSeconds, (lastKey.get(page) ?? 0) + betweenSeconds);
  const keys = code.split('').map((key) => ({ key, text: key }));
  const ends = { Enter: { key: 'Enter', text: '\r' }, Tab: { key: 'Tab' } };
  const strokes = end ? [...keys, ends[end]] : keys;
  await Promise.all(
    strokes.flatMap((stroke) => {
      timestamp += 0.005;
      return [
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...stroke, ...virtualKey(stroke.key) }),
        keyboard.send('Input.dispatchKeyEvent', {
          type: 'keyUp',
          timestamp,
          key: stroke.key,
          ...virtualKey(stroke.key),
        }),
      ];
    }),
  );
  lastKey.set(page, timestamp);
  await keyboard.detach();
}

/** The codes by which the browser gives keys their usual effect. */
function virtualKey(key: string): { windowsVirtualKeyCode?: number } {
  const codes: Record<string, number> = { Enter: 13, Tab: 9, ' ': 32 };
  const code = codes[key];
  return code === undefined ? {} : { windowsVirtualKeyCode: code };
}
