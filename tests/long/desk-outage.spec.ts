import { testDeskOutage } from '../e2e/desk-outage-test.ts';

testDeskOutage(
  'every page shows its last data and their time while the server is down, and each form keeps its values',
);
