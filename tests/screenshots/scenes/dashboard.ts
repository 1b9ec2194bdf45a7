import { pagesScene } from '../scene.ts';

export const dashboard = pagesScene('dashboard', 'admin', {
  dashboard: '/admin/dashboard',
});
