import { clockOffsetMs } from '../support/fixed-run/fixed-run.ts';
import { expect, test } from './fixtures.ts';

test('the page, its worker and the server have the clock of the run', async ({ clinic, tabletOf }) => {
  const { page, context } = await tabletOf('counter');
  await page.goto('/');
  const [worker] = context.serviceWorkers();
  const clocks = {
    test: Date.now(),
    page: await page.evaluate(() => new Date().getTime()),
    worker: await worker!.evaluate(() => Date.now()),
    server: Date.parse((await clinic.api<{ data: { server_time: string } }>('/sync/changes')).data.server_time),
  };
  const realMs = performance.timeOrigin + performance.now();
  for (const [place, atMs] of Object.entries(clocks))
    expect(Math.abs(atMs - realMs - clockOffsetMs()), place).toBeLessThan(20_000);
});
