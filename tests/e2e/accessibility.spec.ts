import { expectAccessible, expectAccessibleInBothSchemes } from './expect-accessible.ts';
import { expect, test } from './fixtures.ts';

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`every page passes WCAG 2.2 AA, light and dark, ${viewport.width} px wide`, async ({ tablet }) => {
    const { page } = tablet;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await tablet.signIn('counter');
    await expectAccessibleInBothSchemes(page);
    await tablet.service('3D scan').click();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('tab', { name: /payment/i }).click();
    await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.goto('/outbox');
    await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.goto('/admin');
    await expect(page.getByText('Access Denied')).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await page.goto('/profile');
    for (const [label, text] of [
      ['Your password', 'demo-counter'],
      ['New PIN', '407183'],
      ['Repeat the new PIN', '407183'],
    ] as const)
      await page.getByRole('region', { name: 'PIN on this tablet' }).getByLabel(label, { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Set PIN' }).click();
    await expect(page.getByText('You have a PIN on this tablet.')).toBeVisible();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await expect(page.getByRole('group', { name: 'PIN pad' })).toBeVisible();
    await page.keyboard.type('913726');
    await expect(page.getByText('Wrong PIN')).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Use password instead' }).click();
    await expectAccessibleInBothSchemes(page);
  });
}

test('the admin’s pages pass WCAG 2.2 AA', async ({ tablet }) => {
  await tablet.signIn('admin');
  await expectAccessible(tablet.page);
});

const desk = {
  'dashboard and reports': [
    'dashboard?period=month',
    'reports?period=month',
    'reports?tab=day-end',
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
  'settings and the rest': ['audit', 'settings', 'profile'],
};

for (const [name, paths] of Object.entries(desk)) {
  test(`every page of ${name} passes WCAG 2.2 AA, wide and narrow, light and dark`, async ({ tablet }) => {
    test.slow();
    const { page } = tablet;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await tablet.signIn('admin');
    for (const path of paths) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`/admin/${path}`);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectAccessibleInBothSchemes(page);
      await page.setViewportSize({ width: 390, height: 900 });
      await expectAccessible(page);
    }
  });
}
