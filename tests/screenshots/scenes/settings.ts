import { pagesScene } from '../scene.ts';

export const settings = pagesScene('settings', 'admin', {
  settings: '/admin/settings',
  profile: '/admin/profile',
  audit: '/admin/audit',
});
