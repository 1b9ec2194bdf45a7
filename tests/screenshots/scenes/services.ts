import type { Scene } from '../scene.ts';

export const services: Scene = {
  name: 'services',
  role: 'admin',
  take: async ({ page, visit, picture, text }) => {
    await visit('categories', '/admin/categories');
    await visit('services', '/admin/services');
    await page
      .getByRole('button', { name: text('services.add') })
      .first()
      .click();
    await picture('service-form');
  },
};
