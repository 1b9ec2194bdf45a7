import type { Scene } from '../scene.ts';

export const expenses: Scene = {
  name: 'expenses',
  role: 'admin',
  take: async ({ page, visit, picture, text }) => {
    await visit('expenses', '/admin/expenses');
    await page
      .getByRole('button', { name: text('expenses.add') })
      .first()
      .click();
    await picture('expense-form');
  },
};
