/** What every browser test starts from: a clinic of its own on the built server, and tablets that open it. */
import { test as base, expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { OrderResource } from '../../domain/order/resource.ts';
import { ServerProcess } from '../support/server-process.ts';

export { expect };

export type DemoRole = 'admin' | 'manager' | 'counter';

declare global {
  interface Window {
    /** How often this window was asked to print; set by the stub that stands in for the printer. */
    printed?: number;
  }
}

/** A browser profile on the clinic: its own storage, its own worker, like one tablet. */
export class Tablet {
  constructor(
    readonly clinic: ServerProcess,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  async signIn(role: DemoRole = 'counter'): Promise<void> {
    await this.page.goto('/login');
    await this.fillSignIn(role);
  }

  /** From the header of a tablet whose session the server has ended. */
  async signInAgain(role: DemoRole = 'counter', password?: string): Promise<void> {
    await this.page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await this.fillSignIn(role, password);
  }

  private async fillSignIn(role: DemoRole, password = `demo-${role}`): Promise<void> {
    const { page } = this;
    await page.getByLabel('Email', { exact: true }).fill(`${role}@demo.test`);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await this.counterReady();
  }

  /** At the counter, from wherever the role starts. It shows services and the worker controls the page: from here on the network may go. */
  async counterReady(): Promise<void> {
    const { page } = this;
    const service = page.locator('[data-tile]').first();
    const way = page.locator('a[href$="/counter"]:not([aria-current])').filter({ visible: true }).first();
    await expect(service.or(way).first()).toBeVisible({ timeout: 20_000 });
    if (await way.isVisible()) await way.click();
    await expect(service).toBeVisible({ timeout: 20_000 });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  }

  /** Goes on in Spanish, on the same page. */
  async speakSpanish(): Promise<void> {
    await this.page.evaluate(() => localStorage.setItem('i18nextLng', 'sp'));
    await this.page.reload();
  }

  /** Ends the session at the server alone: the page learns of it with its next call. */
  async expireSession(): Promise<void> {
    await this.page.evaluate(async () => {
      const token = /pos_token=([^;]+)/.exec(document.cookie)![1]!;
      await fetch('/api/auth/logout', {
        method: 'POST',
        headers: { authorization: `Bearer ${decodeURIComponent(token)}` },
      });
    });
  }

  service(name: string) {
    return this.page.getByRole('button', { name: new RegExp(`^(Add|One more) ${name}`) }).first();
  }

  /** Sells one service for exact cash and answers with the invoice's window. */
  async sellForCash(name = 'Dental cleaning'): Promise<Page> {
    await this.service(name).click();
    await this.page.getByRole('button', { name: 'Create and take payment' }).click();
    const [paper] = await Promise.all([
      this.context.waitForEvent('page'),
      this.page.getByRole('button', { name: 'Process Payment' }).click(),
    ]);
    await expect(paper.getByText(/^INV-/)).toBeVisible();
    return paper;
  }

  get pill() {
    return this.page.getByRole('status').filter({ hasText: /Online|Offline|Syncing|Needs attention|Sign in/ });
  }
}

export async function invoiceNumber(paper: Page): Promise<string> {
  return (await paper.getByText(/^INV-[A-Z]+\d-\d{6}$/).textContent())!.trim();
}

/** All treatments that the server has, by number. */
export async function serverOrders(clinic: ServerProcess): Promise<Map<string, OrderResource>> {
  const { data } = await clinic.api<{ data: OrderResource[] }>('/orders?per_page=200');
  return new Map(data.map((order) => [order.number, order]));
}

/** The server's treatments that carry an invoice of this number. */
export async function ordersInvoiced(clinic: ServerProcess, number: string): Promise<OrderResource[]> {
  const orders = await serverOrders(clinic);
  return [...orders.values()].filter((order) => order.Invoices.some((invoice) => invoice.invoice_number === number));
}

interface Fixtures {
  newTablet: (clinic?: ServerProcess) => Promise<Tablet>;
  tablet: Tablet;
  /** As it was seeded, and for one test alone: to be counted through, stopped and started. */
  freshClinic: ServerProcess;
}

export const test = base.extend<Fixtures, { clinic: ServerProcess }>({
  clinic: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
      const clinic = await ServerProcess.create();
      await use(clinic);
      await clinic.destroy();
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- As above.
  freshClinic: async ({}, use) => {
    const clinic = await ServerProcess.create();
    await use(clinic);
    await clinic.destroy();
  },
  newTablet: async ({ browser, clinic: sharedClinic, locale }, use) => {
    const contexts: BrowserContext[] = [];
    const againstPolicy: string[] = [];
    await use(async (clinic = sharedClinic) => {
      const context = await browser.newContext({
        baseURL: clinic.url,
        locale: locale ?? 'en-GB',
        viewport: { width: 1180, height: 820 },
      });
      contexts.push(context);
      context.on(
        'console',
        (line) =>
          line.text().includes('Content Security Policy') && againstPolicy.push(`${line.page()?.url()} ${line.text()}`),
      );
      await context.addInitScript(() => {
        window.print = () => {
          window.printed = (window.printed ?? 0) + 1;
        };
      });
      return new Tablet(clinic, context, await context.newPage());
    });
    for (const context of contexts) await context.close();
    // Whatever a test does, no page of the app does anything against the content security policy of its own server.
    expect(againstPolicy).toEqual([]);
  },
  tablet: async ({ newTablet }, use) => use(await newTablet()),
});
