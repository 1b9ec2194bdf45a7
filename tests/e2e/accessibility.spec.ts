import { expectAccessible } from './accessible.ts';
import { expect, test } from './clinic.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
    test(`every page passes WCAG 2.2 AA, ${colorScheme}, ${viewport.width} px wide`, async ({ tablet }) => {
      const { page } = tablet;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto('/login');
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      await expectAccessible(page);

      await tablet.signIn('counter');
      await expectAccessible(page);
      await tablet.service('3D scan').click();
      await expectAccessible(page);
      await page.getByRole('tab', { name: /payment/i }).click();
      await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
      await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
      await expectAccessible(page);
      await page.goto('/outbox');
      await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible();
      await expectAccessible(page);
      await page.goto('/admin');
      await expect(page.getByText('Access Denied')).toBeVisible();
      await expectAccessible(page);

      await page.goto('/profile');
      for (const [label, text] of [['Your password', 'demo-counter'], ['New PIN', '4071'], ['New PIN once more', '4071']] as const)
        await page.getByRole('region', { name: 'PIN on this tablet' }).getByLabel(label, { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Set PIN' }).click();
      await expect(page.getByText('You have a PIN on this tablet.')).toBeVisible();
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
      await expect(page.getByRole('group', { name: 'PIN pad' })).toBeVisible();
      await page.keyboard.type('9137');
      await expect(page.getByText('This is not the PIN')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Use password instead' }).click();
      await expectAccessible(page);
    });
  }
}

test('the admin’s pages pass WCAG 2.2 AA', async ({ tablet }) => {
  await tablet.signIn('admin');
  await expectAccessible(tablet.page);
});

const desk = ['dashboard?period=month', 'reports?period=month', 'reports?tab=day-end', 'reports?tab=export&preview=shown&status=completed', 'stock', 'stock?tab=inventory', 'stock?tab=inventory&item=new',
  'stock?tab=stock-management', 'stock?tab=alerts', 'stock?tab=transactions', 'stock?tab=lots',
  'stock?tab=menu-management', 'stock?tab=menu-management&service=1', 'categories', 'stock?tab=purchase-orders',
  'stock?tab=purchase-orders&order=2', 'stock?tab=purchase-orders&order=new', 'rooms', 'rooms?room=new', 'staff', 'drawer', 'kitchen', 'expenses', 'expenses?expense=new', 'audit', 'settings', 'profile'];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page of the back office passes WCAG 2.2 AA and keeps to the content security policy, ${colorScheme}`, async ({ tablet }) => {
    test.slow();
    const { page } = tablet;
    const refused: string[] = [];
    page.on('console', (line) => line.text().includes('Content Security Policy') && refused.push(`${page.url()} ${line.text()}`));
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await tablet.signIn('admin');
    // In the dark the same pages have other colours, and nothing else.
    for (const width of colorScheme === 'dark' ? [1440] : [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of desk) {
        await page.goto(`/admin/${path}`);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectAccessible(page, { contrastAlone: colorScheme === 'dark' });
      }
    }
    // Nothing that a page does is against the policy of its own server.
    expect(refused).toEqual([]);
  });
}
