import type { Page } from '@playwright/test';
import { fireBackgroundSync } from '../support/background-sync.ts';
import { Tablet, invoiceNumber, ordersInvoiced, processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

declare global {
  interface Window {
    firstTileAt?: number;
  }
}

/** Notes, in the page, when the first service shows. */
function noteFirstTile(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-tile]')) return;
    window.firstTileAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

test('the app and the plan survive an offline reload, and neither page nor code needs a request to the worker', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page, context } = tablet;
  await tablet.openCounter();
  await context.setOffline(true);
  await tablet.service('Dental cleaning').click();
  await tablet.nameCustomer('Álvaro Núñez');
  await page.addInitScript(noteFirstTile);
  await page.reload();
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  const sources = () =>
    page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name, entryType }) => entryType === 'navigation' || name.includes('/assets/'))
        .map((entry) => (entry as unknown as { workerFinalSourceType?: string }).workerFinalSourceType),
    );
  // With the code of the later steps, which loads when the browser is idle.
  await expect.poll(async () => (await sources()).length).toBeGreaterThan(10);
  expect(new Set(await sources())).toEqual(new Set(['cache']));
  // Chakra comes when the counter is there.
  const chakra = () =>
    page.evaluate(() => {
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/themed-'));
      return files.map(({ startTime }) => startTime > window.firstTileAt!);
    });
  await expect.poll(chakra).toEqual([true]);

  await expect(tablet.customer('Álvaro Núñez')).toBeVisible();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const invoice = await processPayment(page);
  expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
});

test('the worker sends a sale after its tab was closed', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  await tablet.openCounter();
  await tablet.context.setOffline(true);
  const invoice = await tablet.sellForCash();
  const number = await invoiceNumber(invoice);
  await invoice.close();
  await tablet.page.close();
  await tablet.context.setOffline(false);
  // This page of the same origin does not load the app, so only the worker can send.
  const bystander = await tablet.context.newPage();
  await bystander.goto('/api/health');
  await fireBackgroundSync(bystander, `${clinic.url}/`);
  await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
});

test('two tabs of one tablet use different numbers', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  await tablet.openCounter();
  const second = new Tablet(clinic, tablet.context, await tablet.context.newPage());
  await second.page.goto('/');
  await second.counterReady();
  await tablet.context.setOffline(true);
  const numbers: string[] = [];
  for (const tab of [tablet, second, tablet, second, second, tablet]) {
    await tab.page.bringToFront();
    const invoice = await tab.sellForCash();
    numbers.push(await invoiceNumber(invoice));
    await invoice.close();
  }
  expect(new Set(numbers).size).toBe(numbers.length);
  await tablet.context.setOffline(false);
  for (const number of numbers) await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
});

test('a tablet sells after its session has ended, and sends the outbox after the sign-in', async ({
  tablet,
  clinic,
}) => {
  const { context } = tablet;
  await tablet.signIn();
  await context.setOffline(true);
  const before = await tablet.sellForCash();
  const numbers = [await invoiceNumber(before)];
  await before.close();
  // The session ends at the server, which the tablet does not hear of.
  const { value: token } = (await context.cookies()).find(({ name }) => name === 'pos_token')!;
  await fetch(`${clinic.url}/api/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  const meanwhile = await tablet.sellForCash();
  numbers.push(await invoiceNumber(meanwhile));
  await meanwhile.close();

  await context.setOffline(false);
  await expect(tablet.pill).toContainText('Sign in', { timeout: 30_000 });
  for (const number of numbers) expect(await ordersInvoiced(clinic, number)).toEqual([]);
  await tablet.signInAgain();
  for (const number of numbers) await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
});

test('a recent user can sign in and sell offline', async ({ tablet, clinic }) => {
  const { page, context } = tablet;
  await tablet.signIn();
  await page
    .getByRole('button', { name: /Logout|Account of/ })
    .first()
    .click();
  const logout = page.getByRole('button', { name: 'Logout' }).or(page.getByRole('menuitem', { name: 'Logout' }));
  if (await logout.first().isVisible()) await logout.first().click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await context.setOffline(true);
  await tablet.signIn();
  const number = await invoiceNumber(await tablet.sellForCash());
  await context.setOffline(false);
  await expect(tablet.pill).toContainText('Sign in', { timeout: 30_000 });
  await tablet.signIn();
  await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
});

/** Deletes the cached files of the app and fails their requests. Returns a function that restores them. */
async function removeCode({ page, context }: Tablet): Promise<{ asked: () => number; restore: () => Promise<void> }> {
  await page.evaluate(async () => {
    const shell = await caches.open('shell');
    for (const request of await shell.keys()) if (request.url.includes('/assets/')) await shell.delete(request);
  });
  let asked = 0;
  const files = '**/assets/**';
  await context.route(files, async (route) => {
    asked += 1;
    await route.abort();
  });
  return { asked: () => asked, restore: () => context.unroute(files) };
}

const isSamePage = (page: Page) => page.evaluate(() => performance.getEntriesByName('before').length === 1);

test('a section whose code failed to load is retried without a reload, and the plan stays', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn();
  await tablet.service('Dental cleaning').click();
  await page.evaluate(() => void performance.mark('before'));
  const code = await removeCode(tablet);
  await page.getByRole('link', { name: 'Cash drawer' }).click();
  const fault = page.getByRole('alert').filter({ hasText: 'Something went wrong on this screen' });
  await expect(fault).toBeVisible();

  const before = code.asked();
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(code.asked).toBeGreaterThan(before);
  await expect(fault).toBeVisible();

  await code.restore();
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Cash drawer', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Counter' }).click();
  await expect(page.getByRole('button', { name: 'Remove Dental cleaning' }).last()).toBeVisible();
  expect(await isSamePage(page)).toBe(true);
});

test('a section whose code failed to load does not affect the others, and is retried when it is opened again @long', async ({
  tablet,
}) => {
  const { page } = tablet;
  await tablet.signIn();
  await page.evaluate(() => void performance.mark('before'));
  const code = await removeCode(tablet);
  await page.getByRole('link', { name: 'Cash drawer' }).click();
  const fault = page.getByText('Something went wrong on this screen');
  await expect(fault).toBeVisible();
  await page.getByRole('link', { name: 'Counter' }).click();
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  await page.getByRole('link', { name: 'Cash drawer' }).click();
  await expect(fault).toBeVisible();
  await page.getByRole('link', { name: 'Counter' }).click();
  await code.restore();
  await page.getByRole('link', { name: 'Cash drawer' }).click();
  await expect(page.getByRole('heading', { name: 'Cash drawer', level: 1 })).toBeVisible();
  expect(await isSamePage(page)).toBe(true);
});

test('a device whose browser deleted the database tells what was lost, and goes on under another code', async ({
  tablet,
  clinic,
}) => {
  const { page, context } = tablet;
  await tablet.signIn();
  await tablet.loseNetwork();
  const lost = await invoiceNumber(await tablet.sellForCash());
  await expect.poll(() => page.evaluate(() => localStorage.getItem('unsent-note'))).toContain('"count":2');
  await page.goto('about:blank');
  const cdp = await context.newCDPSession(page);
  await cdp.send('Storage.clearDataForOrigin', { origin: clinic.url, storageTypes: 'indexeddb' });
  await context.setOffline(false);
  await page.goto('/');
  const told = page.getByRole('alert').filter({ hasText: 'This device has lost its storage' });
  await expect(told).toContainText('When last counted, 2 operations were not sent.');
  await expect(told).toContainText(`documents that have ${lost.split('-')[1]} in their number`);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await tablet.signIn();
  await told.getByRole('button', { name: 'Understood' }).click();
  await expect(told).toBeHidden();
  const next = await invoiceNumber(await tablet.sellForCash());
  expect(next.split('-')[1]).not.toBe(lost.split('-')[1]);
});
