import english from '#locales/en.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';
import { storedIn } from './elements.ts';
import { expectAccessible } from './expect-accessible.ts';

test('a manager sees who works where, renames no device alone, and locks one from afar', async ({ tabletOf }) => {
  const front = await tabletOf('counter');
  await front.openCounter();
  await (await front.sellForCash()).close();
  const [{ code }] = JSON.parse(await storedIn(front.page, 'device')) as [{ code: string }];
  const desk = await tabletOf('manager');
  const { page } = desk;
  await page.goto('/devices');
  const name = english.devices.unnamed.replace('{{code}}', code);
  // The session of the device follows in a table of its own.
  const row = page
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();
  await expect(row).toContainText('Lucía Ferrer');
  await expect(row).toContainText('Chrome');
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Lock', 'Revoke']);

  await page.getByRole('menuitem', { name: 'Lock' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(row).toContainText('Told to lock');
  // It hears of it at once, keeps its sales, and opens again as usual.
  await expect(front.page.getByRole('heading', { name: 'Locked' })).toBeVisible({ timeout: 30_000 });
});
