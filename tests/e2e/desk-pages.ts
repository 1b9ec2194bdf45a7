/** The pages of the back office, by their addresses under `/admin/`. */
export const deskPages = {
  'dashboard and reports': [
    'dashboard?period=month',
    'reports?period=month',
    'reports?tab=day-end',
    'reports?tab=removals',
    'reports?tab=export&status=completed',
  ],
  stock: [
    'stock',
    'stock?tab=inventory',
    'stock?tab=inventory&item=new',
    'stock?tab=stock-management',
    'stock?tab=alerts',
    'stock?tab=transactions',
    'purchase-orders?tab=lots',
  ],
  'services and purchasing': [
    'services',
    'services?service=1',
    'services?tab=categories',
    'purchase-orders',
    'purchase-orders?order=2',
    'purchase-orders?order=new',
  ],
  'rooms, staff and cash': [
    'rooms',
    'rooms?room=new',
    'staff',
    'patients',
    'drawer',
    'kitchen',
    'expenses',
    'expenses?expense=new',
  ],
  'settings and the rest': ['audit', 'settings', 'devices', 'profile', 'fiscal', 'about'],
};
