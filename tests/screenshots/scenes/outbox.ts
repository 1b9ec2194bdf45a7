import type { Scene } from '../scene.ts';

export const outbox: Scene = {
  name: 'outbox',
  role: 'counter',
  take: async ({ page, picture }) => {
    await page.context().setOffline(true);
    await page.goto('/outbox');
    await page.waitForTimeout(1000);
    await picture('outbox-offline');
  },
};
