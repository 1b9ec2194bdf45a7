import type { Page } from '@playwright/test';
import type { Scene } from '../scene.ts';

export const counter: Scene = {
  name: 'counter',
  role: 'counter',
  take: async ({ page, picture, look, text }) => {
    await picture('counter-empty');
    await addToPlan(page, [0, 2, 5]);
    await picture('counter-plan');
    if (look.size === 'phone') {
      await page.locator('button:has(svg.lucide-clipboard-list)').last().click();
      await picture('counter-plan-sheet');
    }
    await page.getByRole('combobox').last().fill('Mar');
    await picture('counter-patient');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: text('counter.discount.add'), exact: true }).click();
    await picture('counter-discount');
  },
};

/** Taps tiles by their place in the grid. */
export async function addToPlan(page: Page, tiles: number[]): Promise<void> {
  for (const index of tiles) await page.locator(`[data-tile="${index}"]`).click();
}
