import { pagesScene } from '../scene.ts';

export const drawer = pagesScene('drawer', 'admin', {
  drawer: '/admin/drawer',
  'day-end': '/admin/reports?tab=day-end',
});
