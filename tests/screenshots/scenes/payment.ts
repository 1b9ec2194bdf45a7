import type { Scene } from '../scene.ts';

export const payment: Scene = {
  name: 'payment',
  role: 'counter',
  take: async ({ page, picture, text }) => {
    await page.getByRole('tab').nth(1).click();
    await picture('payment-list');
    await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
    await picture('payment');
    await page
      .getByRole('button', { name: text('counter.amend.open') })
      .filter({ visible: true })
      .first()
      .click();
    await picture('payment-change');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: text('counter.sales.open') }).click();
    await picture('sales');
  },
};
