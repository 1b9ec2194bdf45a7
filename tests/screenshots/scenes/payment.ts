import type { Scene } from '../scene.ts';

export const payment: Scene = {
  name: 'payment',
  role: 'counter',
  take: async ({ page, picture }) => {
    await page.getByRole('tab').nth(1).click();
    await picture('payment-list');
    await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
    await picture('payment');
  },
};
