import { pagesScene } from '../scene.ts';

export const purchasing = pagesScene('purchasing', 'admin', {
  'purchase-orders': '/admin/stock?tab=purchase-orders',
});
