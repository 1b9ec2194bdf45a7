import { expectAccessible } from './expect-accessible.ts';
import { expect, test } from './fixtures.ts';

test('a day is typed in the order of the language or chosen from a calendar, with keys and by touch', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await page.goto('/stock?tab=transactions');
  await page.getByRole('button', { name: 'Dates: Any date' }).click();
  const field = page.getByLabel('From', { exact: true });
  await field.fill('31/02/2026');
  await field.blur();
  await expect(page.getByText('Write the day as 31/12/2026')).toBeVisible();
  await field.fill('1.2.26');
  await field.blur();
  await expect(field).toHaveValue('01/02/2026');

  const calendar = page.getByRole('dialog', { name: 'From', exact: true });
  await page.getByRole('button', { name: 'Open the calendar' }).first().click();
  await expect(calendar.getByRole('button', { name: /^Sunday,? 1 February 2026$/ })).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowRight');
  await expect(calendar.getByText('March 2026')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(calendar).toBeHidden();
  await expect(field).toHaveValue('02/03/2026');

  // The last day begins with the first: earlier ones are not offered.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await page.getByRole('button', { name: 'Open the calendar' }).last().click();
  const until = page.getByRole('dialog', { name: 'To', exact: true });
  await until.getByRole('button', { name: 'Previous month' }).click();
  const box = (await until.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  await page.keyboard.press('Escape');
  await expect(until).toBeHidden();

  await tablet.useLanguage('sp');
  await page.getByRole('button', { name: /^Filtros/ }).click();
  await expect(page.getByLabel('Desde', { exact: true })).toHaveAttribute('placeholder', 'dd/mm/aaaa');
});

test('the days of a filter at the end of its line stay in the window, and the page does not scroll sideways @long', async ({
  tabletOf,
}) => {
  const { page } = await tabletOf('manager');
  await page.goto('/stock?tab=transactions');
  // A narrow window has all filters behind one button.
  for (const [width, name] of [
    [1280, 'Dates'],
    [1180, 'Dates'],
    [844, 'Filters'],
  ] as const) {
    await page.setViewportSize({ width, height: 820 });
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    const panel = (await page.getByRole('region', { name }).boundingBox())!;
    expect(panel.x).toBeGreaterThanOrEqual(0);
    expect(panel.x + panel.width).toBeLessThanOrEqual(width);
    const beyond = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
    expect(beyond).toBe(0);
    await page.keyboard.press('Escape');
  }
});
