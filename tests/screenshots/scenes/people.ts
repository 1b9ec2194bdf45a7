import { pagesScene } from '../scene.ts';

export const people = pagesScene('people', 'admin', {
  staff: '/admin/staff',
  devices: '/admin/devices',
  rooms: '/admin/rooms',
});
