import type { Scene } from '../scene.ts';

export const session: Scene = {
  name: 'session',
  take: async ({ page, picture }) => {
    await page.goto('/login');
    await page.locator('button[type=submit]').waitFor();
    await picture('sign-in');
  },
};
