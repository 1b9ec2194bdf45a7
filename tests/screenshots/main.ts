/**
 * `npm run screenshots` takes pictures of the built product with the demo clinic into `screenshots/`: every scene at four
 * sizes, light and dark, in both languages. `-- --only=counter-phone-dark` takes the scenes and looks that match every one of
 * the words. `-- --publish` takes only the pictures of the README and the web app manifest.
 */
import { chromium } from '@playwright/test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import english from '#locales/en.json';
import spanish from '#locales/sp.json';
import { printedBy, Tablet } from '../support/tablet.ts';
import type { DemoRole } from '../support/tablet.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { startFiscalClinic } from '../support/fiscal-clinic.ts';
import { ServerProcess } from '../support/server-process.ts';
import { sizes } from './scene.ts';
import type { Look, Scene } from './scene.ts';
import { board } from './scenes/board.ts';
import { addToPlan, counter } from './scenes/counter.ts';
import { dashboard } from './scenes/dashboard.ts';
import { drawer } from './scenes/drawer.ts';
import { expenses } from './scenes/expenses.ts';
import { outbox } from './scenes/outbox.ts';
import { payment } from './scenes/payment.ts';
import { people } from './scenes/people.ts';
import { purchasing } from './scenes/purchasing.ts';
import { reports } from './scenes/reports.ts';
import { services } from './scenes/services.ts';
import { session } from './scenes/session.ts';
import { settings } from './scenes/settings.ts';
import { stock } from './scenes/stock.ts';

const root = path.resolve(import.meta.dirname, '../..');

const scenes: Scene[] = [
  session,
  counter,
  payment,
  outbox,
  board,
  drawer,
  dashboard,
  stock,
  services,
  purchasing,
  people,
  expenses,
  reports,
  settings,
];

const looks: Look[] = (Object.keys(sizes) as Look['size'][]).flatMap((size) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['en', 'es'] as const).map((language) => ({ size, colorScheme, language })),
  ),
);

class Photographer {
  constructor(
    private readonly browser: Browser,
    private readonly clinic: ServerProcess,
  ) {}

  async take(scene: Scene, look: Look): Promise<void> {
    const { size, colorScheme, language } = look;
    const locale = language === 'en' ? 'en-GB' : 'es-ES';
    const context = await this.open({ viewport: sizes[size], colorScheme, locale });
    const page = await context.newPage();
    const tablet = scene.role ? await this.signIn(page, scene.role) : new Tablet(this.clinic, context, page);
    const picture = async (name: string) => {
      await waitForAnimations(page);
      await page.screenshot({
        path: path.join(root, 'screenshots', `${name}-${size}-${colorScheme}-${language}.png`),
      });
    };
    const visit = async (name: string, address: string) => {
      await page.goto(address);
      await page.getByRole('main').waitFor();
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
      await picture(name);
    };
    const text = (key: string) => textOf(language, key);
    await scene.take({ page, tablet, look, text, picture, visit });
    await context.close();
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
      const tablet = await this.signIn(page, 'counter');
      // Tiles within the window, so that nothing scrolls.
      await addToPlan(page, [0, 1]);
      await waitForAnimations(page);
      await page.screenshot({ path: path.join(root, file) });
      if (file === 'docs/counter.png') {
        await tablet.loseNetwork();
        await waitForAnimations(page);
        await page.screenshot({ path: path.join(root, 'docs/counter-offline.png') });
      }
      await context.close();
    }
  }

  /** Takes the A4 invoice of a clinic that sends its records to the tax agency. */
  async publishInvoice(): Promise<void> {
    await this.clinic.api(
      '/settings',
      {
        paper_width: 'A4',
        legal_name: 'Odontología Alameda, S.L.',
        address: 'Calle de la Alameda 18',
        postal_code: '28014',
        logo_url: await this.uploadLogo(),
      },
      'PUT',
    );
    const viewport = { width: 860, height: 1180 };
    const context = await this.open({ viewport, deviceScaleFactor: 1, colorScheme: 'light', locale: 'en-GB' });
    const page = await context.newPage();
    const tablet = await this.signIn(page, 'counter');
    await tablet.openPayment('Dental cleaning', 'Dental cleaning', 'First consultation', 'Ceramic crown');
    await page.getByRole('button', { name: 'Card', exact: true }).click();
    const asked = page.getByRole('dialog', { name: 'Full invoice' });
    await page.getByRole('button', { name: 'Process Payment' }).click();
    await asked.getByLabel('Name').fill('Eva Ruiz Ortega');
    await asked.getByLabel('NIF').fill('12345678Z');
    await asked.getByLabel('Address').fill('Calle del Sol 22, 4.º B');
    await asked.getByLabel('Postal code').fill('28013');
    await asked.getByLabel('City').fill('Madrid');
    const printed = await printedBy(page, () => asked.getByRole('button', { name: 'Full invoice' }).click());
    const sheet = printed.locator('.sheet-whole').first();
    await sheet.waitFor();
    await sheet.screenshot({ path: path.join(root, 'docs/invoice.png') });
    await context.close();
  }

  private async uploadLogo(): Promise<string> {
    const form = new FormData();
    const picture = await sharp(path.join(root, 'public/icons/icon.svg'), { density: 300 }).png().toBuffer();
    form.append('file', new File([picture], 'logo.png', { type: 'image/png' }));
    const headers = { authorization: `Bearer ${await this.clinic.signIn()}` };
    const reply = await fetch(`${this.clinic.url}/api/upload/file`, { method: 'POST', headers, body: form });
    return ((await reply.json()) as { data: { url: string } }).data.url;
  }

  private async open(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext({ baseURL: this.clinic.url, reducedMotion: 'reduce', ...options });
    await context.addInitScript(() => {
      window.print = () => undefined;
    });
    return context;
  }

  private async signIn(page: Page, role: DemoRole): Promise<Tablet> {
    await page.goto('/login');
    const tablet = new Tablet(this.clinic, page.context(), page);
    await tablet.submitSignIn(`${role}@${this.clinic.emailDomain}`, `demo-${role}`);
    await page.waitForURL(({ pathname }) => pathname !== '/login');
    if (role === 'counter') await tablet.counterReady();
    await waitForAnimations(page);
    return tablet;
  }
}

const texts = { en: english, es: spanish };

function textOf(language: Look['language'], key: string): string {
  let found: unknown = texts[language];
  for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
  if (typeof found !== 'string') throw new Error(`There is no text ${key}.`);
  return found;
}

const waitForAnimations = (page: Page) => page.waitForTimeout(400);

/** Returns whether the scene in that look has every word that was asked for. */
function isWanted(scene: Scene, look: Look, only: string): boolean {
  const words = [scene.name, ...Object.values(look)] as string[];
  return only.split('-').every((word) => word === '' || words.includes(word));
}

async function publishInvoice(browser: Browser): Promise<void> {
  const { clinic, destroy } = await startFiscalClinic();
  try {
    await new Photographer(browser, clinic).publishInvoice();
  } finally {
    await destroy();
  }
}

async function main(): Promise<void> {
  await mkdir(path.join(root, 'screenshots'), { recursive: true });
  const clinic = await ServerProcess.create();
  const browser = await chromium.launch(chromiumOptions);
  const photographer = new Photographer(browser, clinic);
  try {
    if (process.argv.includes('--publish')) {
      await photographer.publish();
      return await publishInvoice(browser);
    }
    const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7) ?? '';
    for (const look of looks)
      for (const scene of scenes) if (isWanted(scene, look, only)) await photographer.take(scene, look);
  } finally {
    await browser.close();
    await clinic.destroy();
  }
}

await main();
