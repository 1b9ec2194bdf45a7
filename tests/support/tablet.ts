/** A tablet in a browser test: a browser profile with its own storage and service worker, connected to one clinic. */
import { expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { OrderResource } from '#domain/order/resource.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { actorKeyIn } from './proofs.ts';
import type { ServerProcess } from './server-process.ts';

/** Time after which a form has stored its draft on the device. */
export const draftSavedMs = 600;

export type DemoRole = 'admin' | 'manager' | 'counter';

declare global {
  interface Window {
    /** Counts the calls of `print()`; set by the stub that replaces it. */
    printed?: number;
  }
}

export class Tablet {
  /** The key by which the last person who signed in here proves operations. */
  actorKey: ActorKey | null = null;

  constructor(
    readonly clinic: ServerProcess,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('response', (response) => {
      if (!response.ok() || new URL(response.url()).pathname !== '/api/devices') return;
      response.json().then(
        ({ data }: { data: DeviceReply }) => (this.actorKey = data.actor_key ? actorKeyIn(data) : this.actorKey),
        // The page has gone on meanwhile.
        () => undefined,
      );
    });
  }

  async signIn(role: DemoRole = 'counter'): Promise<void> {
    await this.page.goto('/login');
    await this.submitSignIn(`${role}@${this.clinic.emailDomain}`, `demo-${role}`);
    await this.counterReady();
  }

  /** Signs in by the link in the header, which shows once the session has ended. */
  async signInAgain(role: DemoRole = 'counter', password = `demo-${role}`): Promise<void> {
    await this.page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await this.submitSignIn(`${role}@${this.clinic.emailDomain}`, password);
    await this.counterReady();
  }

  /** Signs in to a new clinic with the password that its server has printed. */
  async signInFirst(): Promise<void> {
    const shown = /Sign in as (\S+) with the password (\S+)/;
    await expect.poll(() => this.clinic.printed).toMatch(shown);
    const [, email, password] = shown.exec(this.clinic.printed)!;
    await this.page.goto('/login');
    await this.submitSignIn(email!, password!);
  }

  /** Fills in and submits the sign-in form, in any language. */
  async submitSignIn(email: string, password: string): Promise<void> {
    const { page } = this;
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[autocomplete=current-password]').fill(password);
    await page.locator('button[type=submit]').click();
  }

  /** Opens the counter of the person who is signed in. */
  async openCounter(): Promise<void> {
    await this.page.goto('/');
    await this.counterReady();
  }

  /**
   * Opens the counter and waits until it works offline: it shows services, and the service worker controls the page, if the
   * engine has workers.
   */
  async counterReady(): Promise<void> {
    const { page } = this;
    const service = page.locator('[data-tile]').first();
    const link = page.locator('a[href$="/counter"]:not([aria-current])').filter({ visible: true }).first();
    await expect(service.or(link).first()).toBeVisible();
    if (await link.isVisible()) await link.click();
    await expect(service).toBeVisible();
    await page.waitForFunction(() => !('serviceWorker' in navigator) || navigator.serviceWorker.controller !== null);
  }

  /** Reloads the current page in a language. */
  async useLanguage(language: 'en' | 'sp'): Promise<void> {
    await this.page.evaluate((code) => localStorage.setItem('i18nextLng', code), language);
    await this.page.reload();
  }

  /** Ends the session on the server only. The page learns of it from the reply to its next request. */
  async expireSession(): Promise<void> {
    await this.page.evaluate(async () => {
      const token = /pos_token=([^;]+)/.exec(document.cookie)![1]!;
      await fetch('/api/auth/logout', {
        method: 'POST',
        headers: { authorization: `Bearer ${decodeURIComponent(token)}` },
      });
    });
  }

  /** Takes the network away and waits until the tablet shows it. */
  async loseNetwork(): Promise<void> {
    await this.context.setOffline(true);
    // The browser tells the page before it cuts off the worker, whose request may then still succeed.
    await this.page.evaluate(() => dispatchEvent(new Event('offline')));
    await expect(this.pill).toContainText('Offline');
  }

  async openOutbox(): Promise<void> {
    await this.page.getByRole('link', { name: /Open the outbox|Abrir la bandeja/ }).click();
    await expect(this.page.getByRole('heading', { name: /^(Outbox|Bandeja de salida)$/, level: 1 })).toBeVisible();
  }

  service(name: string) {
    return this.page.getByRole('button', { name: new RegExp(`^(Add|One more) ${name}`) }).first();
  }

  /** Names the plan's customer without a patient. */
  async nameCustomer(name: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Customer name' }).fill(name);
    await this.page.getByRole('option').filter({ hasText: 'Name only' }).click();
    await expect(this.customer(name)).toBeVisible();
  }

  /** The name of the plan's customer, who is no patient. */
  customer(name: string) {
    return this.page.getByRole('button', { name: `${name}, name only: change` });
  }

  /** Adds services to the plan, creates the treatment and opens its payment. Returns its number. */
  async openPayment(...names: string[]): Promise<string> {
    for (const name of names) await this.service(name).click();
    await this.page.getByRole('button', { name: 'Create and take payment' }).click();
    return this.treatmentNumber();
  }

  /** Returns the number of the treatment whose payment is open. */
  async treatmentNumber(): Promise<string> {
    const number = this.page.getByText(/^T-[A-Z]+\d-\d{6}$/).first();
    return (await number.textContent())!.trim();
  }

  /** Sells one service for exact cash. Returns the window of the invoice. */
  async sellForCash(name = 'Dental cleaning'): Promise<Page> {
    await this.openPayment(name);
    const invoice = await processPayment(this.page);
    await expect(invoice.getByText(/^INV-/)).toBeVisible();
    return invoice;
  }

  get pill() {
    return this.page.getByRole('status').filter({ hasText: /Online|Offline|Syncing|Needs attention|Sign in/ });
  }
}

/** Runs an action that prints. Returns the window of the printed document. */
export async function printedBy(page: Page, action: () => Promise<void>): Promise<Page> {
  const [printed] = await Promise.all([page.context().waitForEvent('page'), action()]);
  return printed;
}

/** Takes the payment that the page shows. Returns the window of the invoice or receipt. */
export function processPayment(page: Page): Promise<Page> {
  return printedBy(page, () => page.getByRole('button', { name: 'Process Payment' }).click());
}

export async function invoiceNumber(invoice: Page): Promise<string> {
  return (await invoice.getByText(/^INV-[A-Z]+\d-\d{6}$/).textContent())!.trim();
}

/** Returns the server's treatments by number. */
export async function serverOrders(clinic: ServerProcess): Promise<Map<string, OrderResource>> {
  const { data } = await clinic.api<{ data: OrderResource[] }>('/orders?per_page=200');
  return new Map(data.map((order) => [order.number, order]));
}

/** Returns the server's treatments that have an invoice with this number. */
export async function ordersInvoiced(clinic: ServerProcess, number: string): Promise<OrderResource[]> {
  const { data } = await clinic.api<{ data: OrderResource[] }>(`/orders?search=${number}`);
  return data.filter((order) => order.Invoices.some((invoice) => invoice.invoice_number === number));
}
