/** What the counter offers to the hand: the search, the favourites, and a screen on which nothing jumps. */
import { expect, test } from './fixtures.ts';
import { expectNoLayoutShifts } from './layout-shift.ts';

test('the search finds any word of a name by its beginning, and each typed word @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const search = page.getByRole('searchbox', { name: 'Search services' });
  await search.pressSequentially('Cléan');
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  await expect(tablet.service('Deep cleaning')).toBeVisible();
  await expect(page.locator('[data-tile]').filter({ hasNotText: /\bclean/i })).toHaveCount(0);
  await search.pressSequentially(' den');
  await expect(tablet.service('Deep cleaning')).toHaveCount(0);
  await search.press('Enter');
  await expect(page.getByRole('button', { name: 'One more Dental cleaning' }).first()).toBeVisible();
});

test('the clinic’s favourites come first and stay in their places while services are sold @long', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const names = () => page.locator('[data-tile] > :first-child').allTextContents();
  const before = await names();
  // The most sold services of the demo clinic are not the first by name.
  expect(before).not.toEqual(before.toSorted((a, b) => a.localeCompare(b)));
  for (let sale = 0; sale < 3; sale++) {
    await page.locator('[data-tile="7"]').click();
    await page.getByRole('button', { name: 'Create Treatment' }).click();
    await expect(page.locator('[data-planned]')).toHaveCount(0);
  }
  await page.reload();
  await tablet.counterReady();
  expect(await names()).toEqual(before);
  await page.getByRole('button', { name: 'Favourites', exact: true }).click();
  await expect.poll(async () => (await names()).slice(0, 8)).toEqual(before.slice(0, 8));
});

test('nothing jumps while a plan is made, changed, cleared and saved', async ({ tabletOf }) => {
  test.slow();
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const plan = page.getByRole('list', { name: 'Treatment plan' });
  const steps: [string, () => Promise<void>][] = [
    ['add', () => tablet.service('Dental cleaning').click()],
    ['add another', () => page.getByRole('button', { name: /^Add / }).nth(3).click()],
    ['add a third', () => page.getByRole('button', { name: /^Add / }).nth(5).click()],
    ['one more', () => tablet.service('Dental cleaning').click()],
    ['one less', () => page.getByRole('button', { name: 'One less Dental cleaning' }).click()],
    ['open a line', () => plan.getByRole('button', { name: /^Dental cleaning/ }).click()],
    ['step', () => plan.getByRole('button', { name: 'One more Dental cleaning' }).click()],
    ['note', () => page.getByLabel('Note on Dental cleaning').fill('lower left')],
    ['remove', () => plan.getByRole('button', { name: 'Remove Dental cleaning' }).click()],
    ['undo', () => button('Undo').click()],
    ['discount', () => button('Discount').click()],
    ['apply', () => page.getByRole('dialog').getByRole('button', { name: '10 %', exact: true }).click()],
    ['room', () => button('Room').click()],
    [
      'choose',
      () =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^X-ray/ })
          .click(),
    ],
    ['patient', () => page.getByLabel('Customer name').pressSequentially('marta gi')],
    ['choose', () => page.getByRole('option', { name: /Marta Gil/ }).click()],
    ['notes', () => button('Notes').click()],
    ['type', () => page.getByLabel('Notes', { exact: true }).fill('Nervous patient')],
    ['leave', () => page.keyboard.press('Enter')],
    ['payment mode', () => page.getByRole('tab', { name: 'Process payment' }).click()],
    ['create mode', () => page.getByRole('tab', { name: 'Create treatment' }).click()],
    ['clear', () => button('Clear').click()],
    ['undo', () => button('Undo').click()],
    ['save', () => button('Create Treatment').click()],
  ];
  await expectNoLayoutShifts(page, steps);
});

test('nothing jumps while the sending of a sale takes long @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page, context } = tablet;
  await tablet.openCounter();
  await tablet.service('Dental cleaning').click();
  await expect(tablet.pill).toContainText('Online');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await context.route('**/api/sync/batch?*', async (route) => {
    await answered;
    await route.continue();
  });
  const steps: [string, () => Promise<void>][] = [
    ['save', () => page.getByRole('button', { name: 'Create Treatment' }).click()],
    ['sending', () => expect(tablet.pill).toContainText('Syncing 1')],
    [
      'sent',
      async () => {
        answer();
        await expect(tablet.pill).toContainText('Online');
      },
    ],
  ];
  await expectNoLayoutShifts(page, steps);
});

test('the plan shows six services at once, and each button stands on one line in portrait', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  for (let index = 0; index < 6; index++) await page.locator(`[data-tile="${index}"]`).click();
  const lines = page.getByRole('list', { name: 'Treatment plan' }).getByRole('listitem');
  for (let index = 0; index < 6; index++) await expect(lines.nth(index)).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 820, height: 1180 });
  for (const name of ['Create and take payment', 'Create Treatment']) {
    const button = page.getByRole('button', { name });
    const height = await button.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().height;
    });
    expect(height).toBeLessThan(30);
  }
});

test('clearing empties the whole plan, and Undo brings the whole of it back @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.service('Dental cleaning').click();
  await tablet.nameCustomer('Somebody');
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^X-ray/ })
    .click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByLabel('Customer name')).toHaveValue('');
  await expect(page.getByText('No services in the plan')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Room', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tablet.customer('Somebody')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change the room, now X-ray' })).toBeVisible();
  await expect(page.getByText(/1 service in the plan/)).toBeAttached();
});
