import { pagesScene } from '../scene.ts';

export const reports = pagesScene('reports', 'admin', {
  analytics: '/admin/reports',
  'reports-voids': '/admin/reports?tab=removals',
  'reports-export': '/admin/reports?tab=export',
});
