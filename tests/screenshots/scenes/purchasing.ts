import type { Scene } from '../scene.ts';

export const purchasing: Scene = {
  name: 'purchasing',
  role: 'admin',
  take: async ({ page, visit, picture, text }) => {
    await visit('purchase-orders', '/admin/purchase-orders');
    await page
      .getByRole('button', { name: text('purchasing.create') })
      .first()
      .click();
    await picture('purchase-form');
  },
};
