/** Finds layout shifts: what moved on the screen without being asked to. */
import { expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';

interface LayoutShift {
  value: number;
  /** Up to five elements, each with its box before and after. */
  moved: string[];
}

declare global {
  interface Window {
    layoutShifts?: LayoutShift[];
  }
}

/** Time in which the screen comes to rest: the database answers, a chunk arrives, an animation ends. */
const restMs = 400;

/** Records the layout shifts of every page that opens from now on. */
export async function watchLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Entry extends PerformanceEntry {
      value: number;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const shifts: LayoutShift[] = [];
    window.layoutShifts = shifts;
    const box = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    const nameOf = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const text = node?.textContent?.trim().slice(0, 40) ?? '';
      return `${element?.tagName.toLowerCase() ?? 'removed'} "${text}"`;
    };
    // Chromium marks what moves within 500 ms of a tap as expected. At a till that is what makes a hand miss.
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Entry[]) {
        const moved = sources.map(
          ({ node, previousRect, currentRect }) => `${nameOf(node)}: ${box(previousRect)} → ${box(currentRect)}`,
        );
        shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Runs an action and expects that nothing moves until the screen is at rest, within 500 ms of a tap either. */
export async function expectNoLayoutShift(page: Page, action: () => Promise<void>): Promise<void> {
  await page.waitForTimeout(restMs);
  await page.evaluate(() => window.layoutShifts?.splice(0));
  await action();
  await page.waitForTimeout(restMs);
  const shifts = await page.evaluate(() => window.layoutShifts);
  if (!shifts) throw new Error('The page does not record its layout shifts.');
  expect(shifts).toEqual([]);
}
