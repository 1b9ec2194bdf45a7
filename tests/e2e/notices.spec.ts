import type { OrderResource } from '#domain/order/resource.ts';
import { printedBy } from '../support/tablet.ts';
import { field, orderService } from './elements.ts';
import { expect, test } from './fixtures.ts';
import { testNotices } from './notice-tests.ts';
import { button } from './notices.ts';

testNotices('en');

test('the counter follows the settings: it marks treatments that wait too long, and closes the window of a printed document @long', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  await clinic.api('/settings', { order_timeout_minutes: 50, auto_print_receipts: true }, 'PUT');
  const { number } = await orderService(clinic, 'Dental cleaning', 'Kept Waiting');
  await clinic.query(`update orders set created_at = $2::timestamptz - interval '87 minutes' where number = $1`, [
    number,
    new Date(),
  ]);
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('counter');
  await tablet.service('Dental cleaning').click();
  await button(page, 'Create and take payment').click();
  // The demo's day has other treatments at each hour; the new one is not late.
  const { data: treatments } = await clinic.api<{ data: OrderResource[] }>('/orders?status=confirmed&per_page=200');
  const ages = treatments.map(({ created_at }) => Math.floor((Date.now() - Date.parse(created_at)) / 60_000));
  const late = ages.filter((minutes) => minutes >= 50);
  const open = page.getByRole('list', { name: 'Open treatments' }).getByRole('listitem');
  await expect(open.filter({ hasText: /Open for \d/ })).toHaveCount(late.length);
  await expect(open.filter({ hasText: 'Kept Waiting' })).toContainText(/Open for (8[5-9]|9\d) min/);
  await expect(open.first()).not.toContainText('Open for');
  await button(page, 'Card').click();
  await field(page, 'Amount').fill('20');
  const receipt = await printedBy(page, () => button(page, 'Process Payment').click());
  await expect(receipt.getByText('Payment receipt')).toBeVisible();
  const closed = receipt.waitForEvent('close');
  await receipt.evaluate(() => dispatchEvent(new Event('afterprint')));
  await closed;
});
