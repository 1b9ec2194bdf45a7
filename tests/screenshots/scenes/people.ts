import type { Scene } from '../scene.ts';

export const people: Scene = {
  name: 'people',
  role: 'admin',
  take: async ({ page, visit, picture, text }) => {
    await visit('devices', '/admin/devices');
    await visit('rooms', '/admin/rooms');
    await visit('staff', '/admin/staff');
    await page
      .getByRole('button', { name: text('staff.add') })
      .first()
      .click();
    await picture('staff-form');
  },
};
