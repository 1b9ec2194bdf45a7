/** Finds layout shifts: what moved on the screen without being asked to. */
import { expect, test } from '@playwright/test';
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
export function expectNoLayoutShift(page: Page, action: () => Promise<void>): Promise<void> {
  return expectNoLayoutShifts(page, [['action', action]]);
}

/** The same for steps that a person does without a pause. A shift is found in its own step or the next one. */
export async function expectNoLayoutShifts(
  page: Page,
  steps: readonly (readonly [name: string, step: () => Promise<void>])[],
): Promise<void> {
  const expectNone = async () => {
    const shifts = await page.evaluate(() => window.layoutShifts?.splice(0));
    if (!shifts) throw new Error('The page does not record its layout shifts.');
    expect(shifts).toEqual([]);
  };
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.waitForTimeout(restMs);
  await page.evaluate(() => window.layoutShifts?.splice(0));
  for (const [name, step] of steps) {
    await test.step(name, async () => {
      await step();
      await expectNone();
    });
  }
  await page.waitForTimeout(restMs);
  await expectNone();
}
