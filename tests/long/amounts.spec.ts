/** Every field for an amount shows the whole of it, in every window and in both languages. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { starterServices } from '#domain/stock/starter.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import english from '#locales/en.json' with { type: 'json' };
import spanish from '#locales/sp.json' with { type: 'json' };
import { amountFields, expectWhole, expectWholeAmounts, expectWholeWhileTyped } from '../e2e/amount-fields.ts';
import { expect, test } from '../e2e/desk.ts';
import { closeDrawers } from '../e2e/drawers.ts';
import { orderService } from '../e2e/elements.ts';
import { addItem } from '../e2e/stock-elements.ts';
import { ServerProcess } from '../support/server-process.ts';
import type { Tablet } from '../support/tablet.ts';

const sizes = [390, 820, 1180, 1440];
const languages = { en: english, sp: spanish };
type Texts = typeof english;

interface Place {
  path: string;
  role?: 'admin' | 'manager';
  /** Makes what the page needs. Returns what its address ends in. */
  given?: (clinic: ServerProcess) => Promise<number | void>;
  /** Opens the form on the page. */
  open?: (page: Page, texts: Texts) => Promise<void>;
  /** The number of its fields at least. */
  fields: number;
  /** Whether the field goes when the focus leaves it. */
  closes?: boolean;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function openDrawer(clinic: ServerProcess): Promise<void> {
  await closeDrawers(clinic);
  await clinic.api('/drawers', { float: 100 });
}

async function purchaseOrder(clinic: ServerProcess): Promise<number> {
  const { id } = await addItem(clinic, 'Bite registration material of a long name');
  const { data } = await clinic.api<{ data: PurchaseOrderResource }>('/stock/purchase-orders', {
    vendor: 'Henara',
    items: [{ stock_id: id, quantity: 2, unit_cost: 5 }],
  });
  return data.id;
}

const startsWith = (text: string) => new RegExp(`^${text.split('{{')[0]!.trim()}`);

const places: Record<string, Place> = {
  'the price of a service in the list': {
    path: '/services',
    open: (page, { services }) =>
      page
        .getByRole('button', { name: startsWith(services.changePrice) })
        .filter({ visible: true })
        .first()
        .click(),
    fields: 1,
    closes: true,
  },
  'the form of a service': { path: '/services?service=new', fields: 1 },
  'the form of a supply': { path: '/stock?tab=inventory&item=new', fields: 1 },
  'the lines of a purchase order': {
    path: '/purchase-orders?order=',
    given: purchaseOrder,
    open: (page, { purchasing }) => press(page, purchasing.actions.edit),
    fields: 1,
  },
  'the lines of a delivery': {
    path: '/purchase-orders?order=',
    given: async (clinic) => {
      const id = await purchaseOrder(clinic);
      await clinic.api(`/stock/purchase-orders/${id}/send`, {});
      return id;
    },
    open: (page, { purchasing }) => press(page, purchasing.actions.receive),
    fields: 1,
  },
  'an expense': { path: '/expenses?expense=new', fields: 1 },
  'the filters of a report': {
    path: '/reports?tab=export',
    // The button counts the filters that an earlier round has left in the address.
    open: (page, { reports }) => page.getByRole('button', { name: startsWith(reports.filters.title) }).click(),
    fields: 2,
  },
  'the settings': { path: '/admin/settings', role: 'admin', fields: 1 },
  'the float of a drawer': { path: '/drawer', given: closeDrawers, fields: 1 },
  'the money put into a drawer': {
    path: '/drawer',
    given: openDrawer,
    open: (page, { drawer }) => press(page, drawer.actions.in),
    fields: 1,
  },
  'the count of a drawer': {
    path: '/drawer',
    given: openDrawer,
    open: async (page, { drawer }) => {
      const close = page.getByRole('button', { name: drawer.actions.close, exact: true });
      const discard = page.getByRole('button', { name: drawer.count.cancel, exact: true });
      await expect(close.or(discard).first()).toBeVisible();
      if (await close.isVisible()) await close.click();
    },
    fields: 4,
  },
};

/** Measures the fields that are open, in each window. */
async function measureAt(page: Page, { open, fields, closes }: Omit<Place, 'path'>, texts: Texts) {
  for (const width of sizes)
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 844 });
      if (open) {
        await page.reload();
        await open(page, texts);
      }
      const all = amountFields(page);
      await expect.poll(() => all.count()).toBeGreaterThanOrEqual(fields);
      for (const field of await all.all()) await (closes ? expectWholeWhileTyped(field) : expectWholeAmounts(field));
    });
}

async function inEachLanguage(tablet: Tablet, check: (texts: Texts) => Promise<void>): Promise<void> {
  for (const language of ['en', 'sp'] as const)
    await test.step(language, async () => {
      await tablet.useLanguage(language);
      await check(languages[language]);
    });
}

for (const [name, { path: address, role = 'manager', given, ...place }] of Object.entries(places))
  test(`${name} shows whole amounts`, async ({ desk, clinic }) => {
    test.slow();
    const rest = (await given?.(clinic)) ?? '';
    const tablet = await desk(role, address + rest);
    await inEachLanguage(tablet, (texts) => measureAt(tablet.page, place, texts));
  });

test('a payment, the drawer of its day, a refund and a discount show whole amounts', async ({ tabletOf, clinic }) => {
  test.slow();
  await closeDrawers(clinic);
  const order = await orderService(clinic, 'Dental cleaning', 'Ana Amounts');
  await clinic.api(`/payments/orders/${order.id}/pay`, { payment_method: 'card', amount: 20 });
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await inEachLanguage(tablet, async ({ counter, refund }) => {
    for (const width of sizes)
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 844 });
        await page.reload();
        await page.getByRole('tab').nth(1).click();
        await page.getByText(order.number, { exact: true }).first().click();
        // The payment and the float of a drawer that is not open.
        await expect.poll(() => amountFields(page).count()).toBe(2);
        for (const field of await amountFields(page).all()) await expectWholeAmounts(field);
        await page.getByRole('button', { name: refund.open, exact: true }).first().click();
        const dialog = page.getByRole('dialog');
        await expectWholeAmounts(dialog.locator('[data-amount]'));
        await page.keyboard.press('Escape');

        await page.getByRole('tab').first().click();
        await page.locator('[data-tile="0"]').click();
        if (width < 768) await page.getByRole('button', { name: startsWith(counter.plan.open) }).click();
        await page.getByRole('button', { name: counter.discount.add, exact: true }).click();
        await page
          .getByRole('radio', { name: counter.discount.amount })
          .or(page.getByRole('button', { name: counter.discount.amount }))
          .first()
          .click();
        const value = page.getByLabel(counter.discount.amountValue);
        await value.fill('12345,67');
        await expectWhole(value, '12345,67');
        await page.keyboard.press('Escape');
      });
  });
});

test('the first prices and the float of a new clinic are shown whole', async ({ newTablet }) => {
  test.slow();
  const clinic = await ServerProcess.first(await mkdtemp(path.join(tmpdir(), 'dental-counter-new-')), { DEMO: '0' });
  try {
    const tablet = await newTablet(clinic);
    const { page } = tablet;
    await tablet.signInFirst();
    await page.getByLabel('Practice name').fill('Clínica Sol');
    await page.getByLabel('Address').fill('Calle Mayor 1, Madrid');
    await page.getByLabel('Tax number').fill('NIF B12345674');
    await press(page, 'Continue');
    await expect(page.getByLabel('Currency', { exact: true })).toBeVisible();
    await press(page, 'Continue');
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => amountFields(page).count()).toBe(starterServices.length);
      for (const field of (await amountFields(page).all()).slice(0, 2)) await expectWholeAmounts(field);
    }
    await page.getByRole('button', { name: 'Skip this step' }).click();
    // The staff have no amounts. A second tap before they show would skip the prices again.
    await expect.poll(() => amountFields(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Skip this step' }).click();
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => amountFields(page).count()).toBe(1);
      await expectWholeAmounts(amountFields(page));
    }
  } finally {
    await clinic.destroy();
  }
});
