import { readFile } from 'node:fs/promises';
import { openRescue } from '#src/features/outbox/rescue/rescue-file.ts';
import { invoiceNumber, ordersInvoiced } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

/** Takes away what is younger than the floors of `docs/browsers.md`, as far as a page can. */
function playOldEngine(): void {
  const remove = (owner: object, ...names: string[]) => {
    for (const name of names) delete (owner as Record<string, unknown>)[name];
  };
  remove(AbortSignal, 'any');
  remove(HTMLElement.prototype, 'popover', 'showPopover', 'hidePopover', 'togglePopover');
  remove(Promise, 'withResolvers', 'try');
  remove(Object, 'groupBy');
  remove(Map, 'groupBy');
  remove(Array, 'fromAsync');
  remove(URL, 'canParse', 'parse');
  remove(Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom');
  remove(
    Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object,
    'map',
    'filter',
    'some',
    'every',
    'toArray',
  );
  remove(StorageManager.prototype, 'estimate');
  remove(Navigator.prototype, 'userAgentData', 'userActivation', 'setAppBadge', 'clearAppBadge');
  remove(window, 'requestIdleCallback', 'cancelIdleCallback', 'navigation', 'scheduler');
  // A button still opens its popover by itself.
  addEventListener('click', (event) => (event.target as Element).closest('[popovertarget]') && event.preventDefault(), {
    capture: true,
  });
}

test('an engine at the floors signs in, sells, prints, shows toasts, and opens and closes the menu', async ({
  newTablet,
}) => {
  const tablet = await newTablet();
  const { page } = tablet;
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await tablet.context.addInitScript(playOldEngine);
  await tablet.signIn();
  const invoice = await tablet.sellForCash();
  await expect.poll(() => invoice.evaluate(() => window.printed)).toBe(1);
  expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
  await invoice.close();
  await expect(tablet.pill).toContainText('Online');

  const open = page.getByRole('button', { name: /^Account of/ });
  const lock = page.getByRole('button', { name: 'Lock', exact: true });
  await open.click();
  await expect(lock).toBeVisible();
  await page.mouse.click(20, 700);
  await expect(lock).toBeHidden();
  await open.click();
  await lock.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locked');
  expect(errors).toEqual([]);
});

test('an engine without service workers sells with and without a network, and sends each sale once @long', async ({
  newTablet,
  clinic,
}) => {
  const tablet = await newTablet();
  await tablet.context.addInitScript(() => {
    delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  });
  await tablet.signIn();
  const sell = async () => {
    const invoice = await tablet.sellForCash();
    const number = await invoiceNumber(invoice);
    await invoice.close();
    return number;
  };
  const numbers = [await sell()];
  await expect(tablet.pill).toContainText('Online');
  await tablet.loseNetwork();
  numbers.push(await sell());
  await tablet.context.setOffline(false);
  for (const number of numbers) await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
  await expect(tablet.pill).toContainText('Online');
});

test('an engine below the floors says in both languages what to update, and saves the unsent work @long', async ({
  newTablet,
}) => {
  const tablet = await newTablet();
  const { page } = tablet;
  await tablet.signIn();
  await tablet.loseNetwork();
  const invoice = await tablet.sellForCash();
  const number = await invoiceNumber(invoice);
  await invoice.close();

  await page.addInitScript(() => {
    delete (Array.prototype as { toReversed?: unknown }).toReversed;
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This browser is too old for Dental Counter' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /navegador es demasiado antiguo/ })).toBeVisible();
  await expect(page.getByText('toReversed')).toBeVisible();

  await page.getByLabel(/^Passphrase/).fill('a long passphrase');
  await page.getByLabel(/^Repeat the passphrase/).fill('another passphrase');
  const save = page.getByRole('button', { name: /^Save rescue file/ });
  await save.click();
  await expect(page.getByRole('status')).toContainText('The passphrases do not match.');
  await page.getByLabel(/^Repeat the passphrase/).fill('a long passphrase');
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const opened = await openRescue(new Uint8Array(await readFile(await download.path())), 'a long passphrase');
  expect(opened.ok && JSON.stringify(opened.content.entries)).toContain(number);
});
