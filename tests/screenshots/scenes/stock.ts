import { pagesScene } from '../scene.ts';

export const stock = pagesScene('stock', 'admin', {
  'stock-dashboard': '/admin/stock?tab=dashboard',
  'stock-inventory': '/admin/stock?tab=inventory',
  'stock-adjust': '/admin/stock?tab=stock-management',
  'stock-alerts': '/admin/stock?tab=alerts',
  'stock-transactions': '/admin/stock?tab=transactions',
  'stock-lots': '/admin/purchase-orders?tab=lots',
});
