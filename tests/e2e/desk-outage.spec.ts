import { testDeskOutage } from './desk-outage-test.ts';

testDeskOutage('pages show their last data and their time while the server is down, and each form keeps its values', [
  'dashboard',
  'stock',
  'stock?tab=inventory',
  'rooms',
  'expenses',
]);
