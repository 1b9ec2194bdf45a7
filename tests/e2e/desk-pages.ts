/** The pages of the back office, by their addresses under `/admin/`. */
export const deskPages = {
  'dashboard and reports': [
    'dashboard?period=month',
    'reports?period=month',
    'reports?tab=day-end',
    'reports?tab=removals',
    'reports?tab=export&preview=shown&status=completed',
  ],
  stock: [
    'stock',
    'stock?tab=inventory',
    'stock?tab=inventory&item=new',
    'stock?tab=stock-management',
    'stock?tab=alerts',
    'stock?tab=transactions',
    'stock?tab=lots',
  ],
  'services and purchasing': [
    'stock?tab=menu-management',
    'stock?tab=menu-management&service=1',
    'categories',
    'stock?tab=purchase-orders',
    'stock?tab=purchase-orders&order=2',
    'stock?tab=purchase-orders&order=new',
  ],
  'rooms, staff and cash': [
    'rooms',
    'rooms?room=new',
    'staff',
    'drawer',
    'kitchen',
    'expenses',
    'expenses?expense=new',
  ],
  'settings and the rest': ['audit', 'settings', 'profile', 'fiscal', 'about'],
};
