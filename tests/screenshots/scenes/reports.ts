import { pagesScene } from '../scene.ts';

export const reports = pagesScene('reports', 'admin', {
  analytics: '/admin/reports',
  'reports-export': '/admin/reports?tab=export',
});
