import type { Page } from '@playwright/test';
import type { Scene } from '../scene.ts';

export const counter: Scene = {
  name: 'counter',
  role: 'counter',
  take: async ({ page, picture, look }) => {
    await picture('counter-empty');
    await addToPlan(page, [0, 2, 5]);
    await picture('counter-plan');
    if (look.size !== 'phone') return;
    await page.locator('button:has(svg.lucide-clipboard-list)').last().click();
    await picture('counter-plan-sheet');
  },
};

/** Taps tiles by their place in the grid. */
export async function addToPlan(page: Page, tiles: number[]): Promise<void> {
  for (const index of tiles) await page.locator(`[data-tile="${index}"]`).click();
}
