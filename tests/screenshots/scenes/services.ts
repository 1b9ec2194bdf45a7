import { pagesScene } from '../scene.ts';

export const services = pagesScene('services', 'admin', {
  services: '/admin/stock?tab=menu-management',
  categories: '/admin/categories',
});
