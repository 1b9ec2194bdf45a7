/**
 * The tests of the toasts of the counter, staff, expenses, settings, the profile and the drawer. The title of an error
 * names the failed action and its text gives the reason; a success names the person or thing. Toasts stay for 4 seconds after a
 * success and 6 after an error; a form tells its refusal above its fields. The problems of single fields are tested with their forms.
 *
 * A failing request is intercepted in the browser. Requests that succeed reach the real server.
 */
import { invoiceNumber, printedBy } from '../support/tablet.ts';
import { closeDrawers } from './drawers.ts';
import { chooseAction } from './elements.ts';
import { field } from './elements.ts';
import { expect, test } from './fixtures.ts';
import { button, expectToast, failTwiceThenSucceed, labels, noReply, notices, openIn, toasts } from './notices.ts';
import type { Language } from './notices.ts';

export function testNotices(language: Language): void {
  const translations = labels[language];
  const texts = notices[language];

  test(`the counter confirms a sale, payment, refund and cancellation, in ${language}`, async ({ tabletOf }) => {
    const tablet = await tabletOf('manager');
    const { page } = tablet;
    const { counter, refund } = translations;
    await openIn(language, tablet, '/counter');
    await tablet.counterReady();
    const services = page.locator('[data-tile]');
    const add = () => services.first().click();
    const shown = await services.count();
    await button(page, counter.plan.create).click();
    await expectToast(page, language, ...texts.counter.empty);
    // A toast takes no room of the services.
    await expect(services).toHaveCount(shown);
    await add();
    await button(page, counter.plan.create).click();
    await expectToast(page, language, texts.counter.created);

    await add();
    await button(page, counter.plan.createAndPay).click();
    const invoice = await printedBy(page, () => button(page, counter.payment.process).click());
    const number = await invoiceNumber(invoice);
    await invoice.close();
    const [paid, method] = texts.counter.paid;
    await expectToast(page, language, paid);
    await expect(
      toasts(page, language).getByText(new RegExp(`^EUR [\\d.,]+, ${method} · T-[A-Z]+\\d-\\d{6}$`)),
    ).toBeVisible();

    await button(page, counter.sales.open).click();
    await button(page, refund.openFor.replace('{{number}}', number)).click();
    const dialog = page.getByRole('dialog', { name: refund.title });
    await dialog.getByLabel(refund.reason).fill('Not satisfied');
    const confirm = dialog.getByRole('button', { name: new RegExp(`^${refund.confirm.replace('{{amount}}', 'EUR')}`) });
    const creditNote = await printedBy(page, () => confirm.click());
    await creditNote.close();
    await expectToast(page, language, texts.counter.refunded);
    await button(page, counter.sales.close).click();

    await add();
    await button(page, counter.plan.createAndPay).click();
    await button(page, counter.payment.cancel).click();
    await page.getByRole('dialog').getByRole('button', { name: counter.payment.cancelConfirm }).click();
    await expectToast(page, language, texts.counter.cancelled);
  });

  test(`the staff section names the person in each notice, in ${language} @long`, async ({ tabletOf }) => {
    const tablet = await tabletOf('manager');
    const { page } = tablet;
    const unique = `${language}-${Date.now()}`;
    const name = `Noa Vidal ${unique}`;
    await openIn(language, tablet, '/staff');
    await button(page, translations.staff.add).click();
    await field(page, translations.staff.columns.name).fill(name);
    await field(page, translations.staff.columns.email).fill(`noa.${unique}@clinic.test`);
    await field(page, translations.staff.form.password).fill('sol y sombra');
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/users',
      action: () => button(page, translations.staff.form.create).click(),
      notice: texts.staff.create,
      name,
    });

    const row = page.getByRole('row').filter({ hasText: name });
    await chooseAction(row, name, translations.list.edit);
    await field(page, translations.staff.form.phone).fill('600 100 200');
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/users/*',
      action: () => button(page, translations.staff.form.update).click(),
      notice: texts.staff.update,
      name,
    });

    async function remove() {
      await chooseAction(row, name, translations.list.delete);
      await page.getByRole('dialog').getByRole('button', { name: translations.list.delete }).click();
    }
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/users/*',
      action: remove,
      notice: texts.staff.delete,
      offersRetry: true,
      name,
    });
  });

  test(`expenses and the cash drawer show each notice, in ${language} @long`, async ({ tabletOf, clinic }) => {
    const tablet = await tabletOf('manager');
    const { page, context } = tablet;
    const unique = `${language} ${Date.now()}`;
    const [first, second] = [`Courier ${unique}`, `Flowers ${unique}`];
    const { drawer, expenses } = translations;
    await closeDrawers(clinic);
    await openIn(language, tablet, '/drawer');
    await field(page, drawer.closed.float).fill('80');
    await button(page, drawer.closed.open).click();
    await expectToast(page, language, texts.drawer[0]);
    for (const [move, done] of [
      [drawer.actions.in, texts.drawer[1]],
      [drawer.actions.out, texts.drawer[2]],
    ] as const) {
      await button(page, move).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(drawer.move.reason).fill('Change from the bank');
      await dialog.getByLabel(drawer.move.amount).fill('5');
      await dialog.getByRole('button', { name: move, exact: true }).click();
      await expectToast(page, language, done);
    }
    await expect
      .poll(async () =>
        (await clinic.api<{ data: { closed_at: string | null }[] }>('/drawers')).data.some(
          ({ closed_at }) => closed_at === null,
        ),
      )
      .toBe(true);

    async function describe(title: string) {
      await button(page, expenses.add).click();
      await field(page, expenses.columns.title).fill(title);
      await field(page, expenses.columns.description).fill('For the front desk');
      await field(page, expenses.columns.amount).fill('12.40');
    }
    await page.goto('/expenses');
    await describe(first);
    await page.getByRole('checkbox', { name: expenses.drawer.label }).check();
    const chooser = page.locator('input[type=file]');
    await chooser.setInputFiles({
      name: 'page.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    });
    await expect(page.getByText(texts.upload[2])).toBeVisible();
    await chooser.setInputFiles({
      name: 'receipt.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF'),
    });
    await context.route('**/api/upload/file', (route) => route.fulfill({ json: { success: true, data: {} } }));
    await button(page, expenses.form.create).click();
    await expectToast(page, language, texts.upload[0], texts.upload[1]);
    await context.unroute('**/api/upload/file');
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/expenses',
      action: () => button(page, expenses.form.create).click(),
      notice: texts.expense.create,
      name: first,
    });

    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await expect(row(first).getByText(expenses.drawer.badge).filter({ visible: true })).toBeVisible();
    const act = (action: 'approve' | 'reject' | 'edit', title: string) =>
      chooseAction(row(title), title, expenses.words[action]);
    const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await act('edit', first);
    await expect(field(page, expenses.columns.amount)).toHaveJSProperty('readOnly', true);
    await expect(page.getByText(expenses.drawer.taken)).toBeVisible();
    await field(page, expenses.columns.description).fill('For the laboratory');
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/expenses/*',
      action: () => button(page, expenses.form.update).click(),
      notice: texts.expense.update,
      name: first,
    });
    await act('approve', first);
    await failTwiceThenSucceed(tablet, language, {
      path: '**/approve',
      action: () => confirm(expenses.approve.confirm),
      notice: texts.expense.approve,
      name: first,
    });

    await describe(second);
    await button(page, expenses.form.create).click();
    await expectToast(page, language, texts.expense.create[1](second));
    await act('reject', second);
    await page.getByRole('dialog').getByLabel(expenses.reject.reason).fill('Nobody ordered these');
    await failTwiceThenSucceed(tablet, language, {
      path: '**/reject',
      action: () => confirm(expenses.reject.confirm),
      notice: texts.expense.reject,
      name: second,
    });
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/expenses/*',
      action: async () => {
        await chooseAction(row(first), first, translations.list.delete);
        // The payment from the drawer stays in its report.
        await expect(page.getByRole('dialog').getByText(expenses.drawer.stays)).toBeVisible();
        await confirm(translations.list.delete);
      },
      notice: texts.expense.delete,
      offersRetry: true,
      name: first,
    });
    await page.goto('/drawer');
    await expect(page.getByText(first)).toBeVisible();
    await closeDrawers(clinic);
  });

  test(`settings and profile show each notice for its full time, in ${language} @long`, async ({
    newTablet,
    freshClinic,
  }) => {
    const tablet = await newTablet(freshClinic);
    const { page } = tablet;
    await page.clock.install();
    await page.addInitScript(() => {
      // Measures by the clock of the page how long each toast stays.
      const seen = new Map<Element, number>();
      const stood: Record<string, number> = {};
      Object.assign(window, { stood });
      new MutationObserver(() => {
        const now = performance.now();
        for (const toast of document.querySelectorAll('section[popover] > div > div'))
          if (!seen.has(toast)) seen.set(toast, now);
        for (const [toast, since] of seen) {
          if (toast.isConnected) continue;
          stood[toast.querySelector('p')!.textContent] = Math.round((now - since) / 1000);
          seen.delete(toast);
        }
      }).observe(document, { childList: true, subtree: true });
    });
    const stood = async () => {
      await page.clock.runFor(250);
      return page.evaluate(() => (window as unknown as { stood: Record<string, number> }).stood);
    };
    await tablet.signIn('admin');
    await openIn(language, tablet, '/admin/settings');
    await field(page, translations.settings.fields.receipt_footer).fill(`See you soon, ${language}`);
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/settings',
      action: () => button(page, translations.form.save).first().click(),
      notice: [texts.settings[0], () => texts.settings[1]],
      name: '',
    });
    await expect
      .poll(stood, { timeout: 15_000, intervals: [20] })
      .toMatchObject({ [noReply[language].title]: 6, [texts.settings[1]]: 4 });

    await page.goto('/admin/profile');
    const [failed, done, wrong, wait] = texts.password;
    const change = async (current: string) => {
      await field(page, translations.profile.password.current).fill(current);
      await field(page, translations.profile.password.next).fill('the password after');
      await button(page, translations.profile.password.save).click();
    };
    await change('a guess');
    await expect(page.getByText(wrong)).toBeVisible();

    await field(page, translations.profile.data.phone).fill('600 100 300');
    await failTwiceThenSucceed(tablet, language, {
      path: '**/api/auth/me',
      action: () => button(page, translations.form.save).first().click(),
      notice: [texts.profile[0], () => texts.profile[1]],
      name: '',
    });
    const path = '**/api/auth/password';
    // The server's first delay is one second, which may have passed before a slow page asks again.
    await page.route(path, (route) =>
      route.fulfill({ status: 429, json: { success: false, code: 'TOO_MANY_REQUESTS', message: 'x' } }),
    );
    await change('demo-admin');
    await expectToast(page, language, failed, wait);
    await page.unroute(path);
    await failTwiceThenSucceed(tablet, language, {
      path,
      action: () => change('demo-admin'),
      notice: [failed, () => done],
      name: '',
    });
  });
}
