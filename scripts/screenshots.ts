/**
 * `npm run screenshots`: every screen at the three sizes, light and dark, in both languages, on the built product with
 * the demo clinic, into `screenshots/`. With `--publish` the picture of the README is renewed as well.
 */
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Tablet } from '../tests/e2e/clinic.ts';
import { ServerProcess } from '../tests/support/server-process.ts';

const folder = path.resolve(import.meta.dirname, '../screenshots');
const sizes = { phone: { width: 390, height: 844 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } };

interface Look {
  size: keyof typeof sizes;
  colorScheme: 'light' | 'dark';
  locale: 'en-GB' | 'es-ES';
}

const looks: Look[] = (Object.keys(sizes) as Look['size'][]).flatMap((size) =>
  (['light', 'dark'] as const).flatMap((colorScheme) => (['en-GB', 'es-ES'] as const).map((locale) => ({ size, colorScheme, locale }))),
);

async function picture(browser: Browser, clinic: ServerProcess, look: Look): Promise<void> {
  const { size, colorScheme, locale } = look;
  const context = await browser.newContext({ baseURL: clinic.url, viewport: sizes[size], colorScheme, locale, reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    window.print = () => undefined;
  });
  const page = await context.newPage();
  const shoot = (name: string, target: Page = page) =>
    target.screenshot({ path: path.join(folder, `${name}-${size}-${colorScheme}-${locale.slice(0, 2)}.png`) });
  const settled = () => page.waitForTimeout(400);

  await page.goto('/login');
  await page.locator('button[type=submit]').waitFor();
  await settled();
  await shoot('1-sign-in');
  const tablet = new Tablet(clinic, context, page);
  await page.locator('input[type=email]').fill('counter@demo.test');
  await page.locator('input[type=password]').fill('demo-counter');
  await page.locator('button[type=submit]').click();
  await tablet.counterReady();
  await settled();
  await shoot('2-counter-empty');
  for (const index of [0, 2, 5]) await page.locator(`[data-tile="${index}"]`).click();
  await settled();
  await shoot('3-counter-plan');
  if (size === 'phone') {
    await page.locator('button:has(svg.lucide-clipboard-list)').last().click();
    await settled();
    await shoot('4-plan-sheet');
    await page.keyboard.press('Escape');
  }
  await page.getByRole('tab').nth(1).click();
  await settled();
  await shoot('5-payment-list');
  await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
  await settled();
  await shoot('6-payment');
  await context.setOffline(true);
  await settled();
  await page.goto('/outbox');
  await page.waitForTimeout(1000);
  await shoot('7-outbox-offline');
  await context.close();
}

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const clinic = await ServerProcess.create();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7);
    for (const look of looks) if (!only || Object.values(look).join('-').includes(only)) await picture(browser, clinic, look);
    if (process.argv.includes('--publish')) {
      await copyFile(path.join(folder, '3-counter-plan-desk-light-en.png'), path.resolve(import.meta.dirname, '../docs/counter.png'));
    }
  } finally {
    await browser.close();
    await clinic.destroy();
  }
}

await main();
