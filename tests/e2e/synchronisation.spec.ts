/** How often a real browser asks the server, in counts. */
import type { BrowserContext, Page, Request } from '@playwright/test';
import { Tablet, processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

interface Calls {
  pulls: number;
  batches: number;
}

/** Counts what the browser asks from now on, its worker included. */
function countCalls(context: BrowserContext): Calls {
  const calls: Calls = { pulls: 0, batches: 0 };
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    calls.pulls += Number(pathname === '/api/sync/changes');
    calls.batches += Number(pathname === '/api/sync/batch');
  });
  return calls;
}

/** Lets the page ask for a synchronisation, as when its person comes back to it. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

/** Returns what waits for the browser's own event. */
const registered = (page: Page) =>
  page.evaluate(async () => {
    const { sync } = (await navigator.serviceWorker.ready) as unknown as { sync: { getTags(): Promise<string[]> } };
    return sync.getTags();
  });

/** A browser with a network fires a sync event within this time after it is registered. */
const momentMs = 1000;

test('SYNC-13 a browser with sync events pulls once for each trigger, and sends one batch to a server that asks for time', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page, context } = tablet;
  await tablet.openCounter();
  await expect(tablet.pill).toContainText('Online');
  // What the start of the page has caused ends.
  await page.waitForTimeout(momentMs);

  const idle = countCalls(context);
  for (const expected of [1, 2, 3]) {
    await comeBack(page);
    await expect.poll(() => idle.pulls).toBeGreaterThanOrEqual(expected);
    await page.waitForTimeout(momentMs);
    expect(idle).toEqual({ pulls: expected, batches: 0 });
  }

  expect(await registered(page)).toEqual([]);
  await tablet.openPayment('Dental cleaning');
  await page.waitForTimeout(momentMs);
  await context.route('**/api/sync/batch?*', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '300' },
      json: { success: false, code: 'UNAVAILABLE', message: '' },
    }),
  );
  const busy = countCalls(context);
  await (await processPayment(page)).close();
  await expect.poll(() => busy.batches).toBeGreaterThan(0);
  await page.waitForTimeout(momentMs);
  expect(busy.batches).toBe(1);
  expect(await registered(page)).toEqual(['outbox']);
  await context.unroute('**/api/sync/batch?*');
});

const isStream = (request: Request): boolean => new URL(request.url()).pathname === '/api/sync/events';

/** Returns how many streams of pokes the browser has open now. */
function openStreams(context: BrowserContext): () => number {
  const open = new Set<Request>();
  context.on('request', (request) => isStream(request) && open.add(request));
  const ended = (request: Request) => open.delete(request);
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);
  // Of a page that has closed nobody hears how its requests ended.
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length;
}

test('SYNC-9 seven tabs of one browser share a stream, leave connections for requests, and pass it on', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('manager');
  const { context } = tablet;
  const streams = openStreams(context);
  await tablet.openCounter();
  await expect.poll(streams).toBe(1);
  const others = await Promise.all(Array.from({ length: 6 }, () => context.newPage()));
  for (const page of others) await page.goto('/');
  const last = new Tablet(clinic, context, others.pop()!);
  await last.counterReady();
  await last.page.getByRole('link', { name: 'Expenses', exact: true }).click();
  await expect(last.page.getByRole('row').filter({ hasText: 'Magazines' })).toBeVisible();
  expect(streams()).toBe(1);

  // A frozen tab answers nothing and keeps its lock.
  const taken = context.waitForEvent('request', isStream);
  await tablet.page.evaluate(() => (BroadcastChannel.prototype.postMessage = () => undefined));
  await taken;
  await expect.poll(streams).toBe(1);

  for (const page of [tablet.page, ...others]) await page.close();
  await expect.poll(streams).toBe(1);
});

test('a request without an answer is told on the screen until it comes', async ({ tabletOf }) => {
  const { page, context } = await tabletOf('manager');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await context.route('**/api/users?*', async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto('/staff');
  const told = page.getByText('The server has not answered yet');
  await expect(told).toBeVisible();
  // It stays longer than other messages.
  await page.waitForTimeout(5000);
  await expect(told).toBeVisible();
  answer();
  await expect(page.getByRole('row').filter({ hasText: 'admin@demo.test' })).toBeVisible();
  await expect(told).toHaveCount(0);
});
