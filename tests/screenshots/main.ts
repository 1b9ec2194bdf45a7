/**
 * `npm run screenshots` takes screenshots of the built product with the demo clinic into `screenshots/`: every screen at three
 * sizes, light and dark, in both languages. `-- --only=desk-light` limits the run. `-- --publish` takes only the pictures of the
 * README and the web app manifest.
 */
import { chromium } from '@playwright/test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Tablet } from '../support/tablet.ts';
import type { DemoRole } from '../support/tablet.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { ServerProcess } from '../support/server-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desk: { width: 1440, height: 900 },
};

interface Look {
  size: keyof typeof sizes;
  colorScheme: 'light' | 'dark';
  locale: 'en-GB' | 'es-ES';
}

const looks: Look[] = (Object.keys(sizes) as Look['size'][]).flatMap((size) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['en-GB', 'es-ES'] as const).map((locale) => ({ size, colorScheme, locale })),
  ),
);

/** Names of the pictures of an administrator's pages, with the address of each page. */
const desk: Record<string, string> = {
  dashboard: 'dashboard',
  preparation: 'kitchen',
  drawer: 'drawer',
  rooms: 'rooms',
  'stock-dashboard': 'stock?tab=dashboard',
  'stock-inventory': 'stock?tab=inventory',
  'stock-adjust': 'stock?tab=stock-management',
  'stock-alerts': 'stock?tab=alerts',
  'stock-transactions': 'stock?tab=transactions',
  'stock-purchase-orders': 'stock?tab=purchase-orders',
  'stock-lots': 'stock?tab=lots',
  'stock-services': 'stock?tab=menu-management',
  categories: 'categories',
  staff: 'staff',
  expenses: 'expenses',
  analytics: 'reports',
  'day-end': 'reports?tab=day-end',
  'reports-export': 'reports?tab=export',
  audit: 'audit',
  settings: 'settings',
  profile: 'profile',
};

/** Waits for the end of animations. */
const waitForAnimations = (page: Page) => page.waitForTimeout(400);

type TakePicture = (name: string) => Promise<void>;
type Visit = (page: Page, takePicture: TakePicture, size: Look['size']) => Promise<void>;

class Photographer {
  constructor(
    private readonly browser: Browser,
    private readonly clinic: ServerProcess,
  ) {}

  async take(look: Look): Promise<void> {
    const { size, colorScheme, locale } = look;
    const visits: Visit[] = [
      (...given) => this.counter(...given),
      (page, takePicture) => this.office(page, takePicture),
    ];
    for (const visit of visits) {
      const context = await this.open({ viewport: sizes[size], colorScheme, locale });
      const page = await context.newPage();
      await visit(
        page,
        async (name) => {
          await waitForAnimations(page);
          await page.screenshot({
            path: path.join(root, 'screenshots', `${name}-${size}-${colorScheme}-${locale.slice(0, 2)}.png`),
          });
        },
        size,
      );
      await context.close();
    }
  }

  private async counter(page: Page, takePicture: TakePicture, size: Look['size']): Promise<void> {
    await page.goto('/login');
    await page.locator('button[type=submit]').waitFor();
    await takePicture('sign-in');
    await this.signIn(page, 'counter');
    await takePicture('counter-empty');
    await addToPlan(page);
    await takePicture('counter-plan');
    if (size === 'phone') {
      await page.locator('button:has(svg.lucide-clipboard-list)').last().click();
      await takePicture('counter-plan-sheet');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('tab').nth(1).click();
    await takePicture('payment-list');
    await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
    await takePicture('payment');
    await page.context().setOffline(true);
    await page.goto('/outbox');
    await page.waitForTimeout(1000);
    await takePicture('outbox-offline');
  }

  private async office(page: Page, takePicture: TakePicture): Promise<void> {
    await this.signIn(page, 'admin');
    for (const [name, address] of Object.entries(desk)) {
      await page.goto(`/admin/${address}`);
      await page.getByRole('main').waitFor();
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
      await takePicture(name);
    }
  }

  /** Takes the pictures in the sizes that the manifest and the README name. */
  async publish(): Promise<void> {
    const wanted = [
      { file: 'docs/counter.png', viewport: sizes.desk, deviceScaleFactor: 1 },
      { file: 'public/screenshots/wide.png', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
      { file: 'public/screenshots/narrow.png', viewport: sizes.phone, deviceScaleFactor: 2 },
    ];
    for (const { file, ...options } of wanted) {
      const context = await this.open({ ...options, colorScheme: 'light', locale: 'en-GB' });
      const page = await context.newPage();
      await this.signIn(page, 'counter');
      // Tiles within the window, so that nothing scrolls.
      await addToPlan(page, [0, 1]);
      await waitForAnimations(page);
      await page.screenshot({ path: path.join(root, file) });
      await context.close();
    }
  }

  private async open(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext({ baseURL: this.clinic.url, reducedMotion: 'reduce', ...options });
    await context.addInitScript(() => {
      window.print = () => undefined;
    });
    return context;
  }

  private async signIn(page: Page, role: DemoRole): Promise<void> {
    await page.goto('/login');
    const tablet = new Tablet(this.clinic, page.context(), page);
    await tablet.submitSignIn(`${role}@demo.test`, `demo-${role}`);
    await page.waitForURL(({ pathname }) => pathname !== '/login');
    if (role === 'counter') await tablet.counterReady();
    await waitForAnimations(page);
  }
}

async function addToPlan(page: Page, tiles = [0, 2, 5]): Promise<void> {
  for (const index of tiles) await page.locator(`[data-tile="${index}"]`).click();
}

async function main(): Promise<void> {
  await mkdir(path.join(root, 'screenshots'), { recursive: true });
  const clinic = await ServerProcess.create();
  const browser = await chromium.launch(chromiumOptions);
  const photographer = new Photographer(browser, clinic);
  try {
    if (process.argv.includes('--publish')) return await photographer.publish();
    const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7) ?? '';
    for (const look of looks) if (Object.values(look).join('-').includes(only)) await photographer.take(look);
  } finally {
    await browser.close();
    await clinic.destroy();
  }
}

await main();
