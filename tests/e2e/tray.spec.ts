import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { OperationState } from '#src/db/database.ts';
import { overHttp } from '../failover/http-tablet.ts';
import { expectAccessible } from './expect-accessible.ts';
import { TestDevice } from '../support/device.ts';
import { signedBy } from '../support/proofs.ts';
import { invoiceNumber, ordersInvoiced, processPayment } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

const passphrase = 'a passphrase for the rescue';

/** Returns all rows of a table of the device. */
function rowsOf<Row>(page: Page, table: string): Promise<Row[]> {
  return page.evaluate(async (store) => {
    const open = indexedDB.open('dental-counter');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const all = db.transaction(store).objectStore(store).getAll();
    await new Promise((resolve) => (all.onsuccess = resolve));
    db.close();
    return all.result as Row[];
  }, table);
}

const queuedOperations = (page: Page): Promise<AnyOperation[]> => rowsOf(page, 'operations');

/** Makes every queued treatment of a customer invalid, and signs it again, as a faulty app would have written it. */
async function invalidateQueued({ page, actorKey }: Tablet, customer: string): Promise<void> {
  const invalid = (await queuedOperations(page)).flatMap(({ proof: _proof, ...operation }) => {
    const payload = operation.payload as { customer_name?: string };
    if (payload.customer_name !== customer) return [];
    const changed = { ...payload, customer_name: `${customer} ${'x'.repeat(250)}` };
    return signedBy(actorKey!, { ...operation, payload: changed });
  });
  await page.evaluate(async (operations) => {
    const open = indexedDB.open('dental-counter');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const write = db.transaction('operations', 'readwrite');
    for (const operation of operations) write.objectStore('operations').put(operation);
    await new Promise((resolve) => (write.oncomplete = resolve));
    db.close();
  }, invalid);
}

async function sellTo(tablet: Tablet, customer: string): Promise<string> {
  const { page } = tablet;
  await tablet.service('Dental cleaning').click();
  await tablet.nameCustomer(customer);
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const invoice = await processPayment(page);
  const number = await invoiceNumber(invoice);
  await invoice.close();
  return number;
}

/** Makes a sale that the server refuses, and opens the outbox. Returns the number of its invoice. */
async function makeRefusedSale(tablet: Tablet, customer: string): Promise<string> {
  const { page, context } = tablet;
  await tablet.loseNetwork();
  const number = await sellTo(tablet, customer);
  await invalidateQueued(tablet, customer);
  await context.setOffline(false);
  await tablet.openOutbox();
  await expect(tray(page).getByRole('listitem')).toHaveCount(1, { timeout: 20_000 });
  return number;
}

const tray = (page: Page) => page.getByRole('region', { name: 'Needs attention' });

test('a refused sale is explained in both languages, retried, edited and accepted', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const number = await makeRefusedSale(tablet, 'Edit Me');
  await expect(tray(page).getByText('The server does not accept these values: customer name.')).toBeVisible();
  await expect(tray(page).getByText(/Only a manager can void this/)).toBeVisible();
  await expect(tray(page).getByRole('button', { name: 'Void' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Not yet on the server' })).toContainText('EUR 60,00');
  await expectAccessible(page);

  await tablet.useLanguage('sp');
  await expect(page.getByText('El servidor no acepta estos valores: nombre del paciente.')).toBeVisible();
  await tablet.useLanguage('en');

  const exported = page.waitForEvent('download');
  await tray(page).getByRole('button', { name: 'Export as JSON' }).click();
  const file = JSON.parse(await readFile(await (await exported).path(), 'utf8')) as {
    operation: AnyOperation;
    state: object;
  };
  expect(file).toMatchObject({
    operation: { kind: 'order.create' },
    state: { status: 'attention', last_error: { code: 'VALIDATION' } },
  });

  // The retry is a new operation that supersedes the old one, and is refused for the same reason.
  await tray(page).getByRole('button', { name: 'Retry' }).click();
  const retries = async () => {
    const own = (await queuedOperations(page)).filter(({ supersedes }) => supersedes === file.operation.op_id);
    const states = await rowsOf<OperationState>(page, 'operation_states');
    return own.map(({ op_id }) => states.find((state) => state.op_id === op_id)?.status);
  };
  await expect.poll(retries, { timeout: 20_000 }).toEqual(['attention']);
  await expect(tray(page).getByRole('listitem')).toHaveCount(1, { timeout: 20_000 });

  await tray(page).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct and resend' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save and send' }).click();
  await expect(dialog.getByText('At most 200 characters.')).toBeVisible();
  await dialog.getByLabel('Customer name').fill('Ana Edited');
  await dialog.getByLabel('Quantity of Dental cleaning').fill('2');
  await dialog.getByRole('button', { name: 'Save and send' }).click();
  await expect(dialog.getByText('The services add up to EUR 120,00, but EUR 60,00 is printed.')).toBeVisible();
  await dialog.getByLabel('Quantity of Dental cleaning').fill('1');
  await dialog.getByRole('button', { name: 'Save and send' }).click();
  await expect(tray(page)).toHaveCount(0);
  await expect
    .poll(async () => (await ordersInvoiced(clinic, number)).map(({ customer_name, paid }) => [customer_name, paid]))
    .toEqual([['Ana Edited', 60]]);
  await expect(page.getByText('Everything has been sent')).toBeVisible();
});

test('a manager voids a refused sale with its payment, and both are closed on the server, audited and kept in the history', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  const number = await makeRefusedSale(tablet, 'Void Me');
  const [create, pay] = (await queuedOperations(page)).filter(({ kind }) => kind !== 'fiscal.record').slice(-2);
  await tray(page).getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void 2 operations?' });
  await expect(dialog.getByRole('listitem')).toContainText(number);
  await expect(dialog.getByText(/EUR 60,00 was taken/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Void 2 operations' }).click();
  await expect(dialog.getByText('Please give a reason of at least 3 characters.')).toBeVisible();
  const reason = `Rung up twice: ${number}`;
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Void 2 operations' }).click();
  await expect(tray(page)).toHaveCount(0);

  const closed = () =>
    clinic.query<{ op_id: string }>('select op_id from sync_ops where superseded_by is not null and op_id = any($1)', [
      [create!.op_id, pay!.op_id],
    ]);
  await expect.poll(async () => (await closed()).length).toBe(2);
  const audit = await clinic.query<{ subject: string; user_id: number; details: object }>(
    `select subject, user_id, details from audit_log where action = 'operation.voided' and subject = any($1) order by id`,
    [[create!.op_id, pay!.op_id]],
  );
  expect(audit).toMatchObject([
    { subject: create!.op_id, user_id: create!.actor_id, details: { kind: 'order.create' } },
    { subject: pay!.op_id, details: { kind: 'order.pay', number, amount: 60 } },
  ]);
  expect(await ordersInvoiced(clinic, number)).toEqual([]);
  const open = await clinic.query('select 1 from attention_items where settled_at is null and op_id = any($1)', [
    [create!.op_id, pay!.op_id],
  ]);
  expect(open).toEqual([]);

  await page.getByRole('tab', { name: 'Voided' }).click();
  const history = page.getByRole('region', { name: 'Voided' });
  const voided = history.getByRole('listitem').filter({ hasText: `“${reason}”` });
  await expect(voided).toHaveCount(2);
  await expect(voided.getByText('On the server')).toHaveCount(2);
  await expectAccessible(page);
});

test('a manager voids a sale that was refused on another tablet @long', async ({ newTablet, tabletOf }) => {
  // Its payment stays in the tray.
  const [clerk, manager] = [await newTablet(), await tabletOf('manager')];
  await clerk.signIn();
  await manager.openCounter();
  await makeRefusedSale(clerk, 'Seen Elsewhere');
  // The event stands for the poll, which a tablet makes every 20 seconds.
  await manager.page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(manager.pill).toContainText('Needs attention');
  await manager.openOutbox();
  // Other tests of this clinic leave items of their own.
  const item = manager.page
    .getByRole('region', { name: 'For a manager' })
    .getByRole('listitem')
    .filter({ hasText: 'The server does not accept these values: customer name.' });
  await expect(item).toContainText(/T-[A-Z]+\d-\d{6}/);
  await expectAccessible(manager.page);
  await item.getByRole('button', { name: 'Void' }).click();
  await manager.page.getByLabel('Reason').fill('Tablet is being repaired');
  await manager.page.getByRole('button', { name: 'Void it' }).click();
  await expect(item).toHaveCount(0);
  // The sale moves to the other tablet's history.
  await expect(tray(clerk.page).getByText(/customer name/)).toHaveCount(0, { timeout: 30_000 });
  await expect(clerk.page.getByRole('region', { name: 'Not yet on the server' })).toContainText('EUR 60,00');
  await clerk.page.getByRole('tab', { name: 'Voided' }).click();
  await expect(clerk.page.getByRole('region', { name: 'Voided' })).toContainText('Voided from another device');
});

test('a manager lets a sale count that was made after its session had been ended @long', async ({
  tabletOf,
  clinic,
}) => {
  const lost = await TestDevice.enrol(overHttp(clinic.url), 'counter');
  const sale = lost.create();
  await clinic.query('update sessions set key_ended_at = $1 where id = $2', [
    new Date(Date.now() - 3_600_000),
    lost.info.session_id,
  ]);
  expect(await lost.send(sale)).toMatchObject([{ status: 'refused', reply: { code: 'KEY_ENDED' } }]);
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.openOutbox();
  const elsewhere = page.getByRole('region', { name: 'For a manager' });
  const item = elsewhere
    .getByRole('listitem')
    .filter({ hasText: 'The session of the person who did this had been ended' });
  await item.getByRole('button', { name: 'Let it count' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Let it count' }).click();
  await expect(dialog.getByText('Please give a reason of at least 3 characters.')).toBeVisible();
  await dialog.getByRole('textbox').fill('sold before she left');
  await dialog.getByRole('button', { name: 'Let it count' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(item).toHaveCount(0);
  expect(await clinic.query('select status from sync_ops where supersedes = $1', [sale.op_id])).toEqual([
    { status: 'applied' },
  ]);
});

test('a manager settles what one person did many times with one reason', async ({ tabletOf, clinic }) => {
  const actor = 'Lena Often';
  for (let number = 1; number <= 30; number++)
    await clinic.query(
      `insert into attention_items (clinic_id, kind, op_kind, details, created_at)
       select id, 'price_differs', 'order.create', $1, $2 from clinics order by id limit 1`,
      [
        { actor, actor_id: 4242, device: 'Q7', number: `T-Q7-${number}`, name: 'Filling', stated: 50, expected: 60 },
        new Date(),
      ],
    );
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.openOutbox();
  const items = page.getByRole('region', { name: 'For a manager' }).getByRole('listitem').filter({ hasText: actor });
  await expect(items).toHaveCount(1);
  await expect(items).toContainText('30 times');
  await expectAccessible(page);
  await items.getByRole('button', { name: 'Show each' }).click();
  await expect(items).toHaveCount(31);
  await items.nth(1).getByRole('button', { name: 'Settled' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('This one alone');
  await dialog.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(items).toHaveCount(30);
  await items.getByRole('button', { name: 'Settle all 29' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Settle all 29' }).click();
  await expect(dialog.getByText('Please give a reason of at least 3 characters.')).toBeVisible();
  await dialog.getByRole('textbox').fill('Agreed with her');
  await dialog.getByRole('button', { name: 'Settle all 29' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(items).toHaveCount(0);
  expect(
    await clinic.query(
      `select settled_reason, count(*)::int from attention_items where details ->> 'actor' = $1 group by 1 order by 2`,
      [actor],
    ),
  ).toEqual([
    { settled_reason: 'This one alone', count: 1 },
    { settled_reason: 'Agreed with her', count: 29 },
  ]);
});

test('a manager lets all work of an ended session count at once, or voids all of it', async ({ tabletOf, clinic }) => {
  const refuse = async () => {
    const lost = await TestDevice.enrol(overHttp(clinic.url), 'counter');
    const sales = [lost.create(), lost.create()].map((sale) => [sale, lost.pay(sale, sale.payload.total)]);
    await clinic.query('update sessions set key_ended_at = $1 where id = $2', [
      new Date(Date.now() - 3_600_000),
      lost.info.session_id,
    ]);
    for (const sale of sales)
      expect(await lost.send(...sale)).toMatchObject([{ status: 'refused' }, { status: 'refused' }]);
    return { code: lost.info.code, opIds: sales.flat().map(({ op_id }) => op_id) };
  };
  const [counted, voided] = [await refuse(), await refuse()];
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.openOutbox();
  const groupOf = ({ code }: { code: string }) =>
    page
      .getByRole('region', { name: 'For a manager' })
      .getByRole('listitem')
      .filter({ hasText: 'Refused on another device' })
      .filter({ hasText: `Device ${code}` });
  await expect(groupOf(counted)).toContainText('4 times');
  await expect(groupOf(counted)).toContainText('Payments among them: 2');
  await expectAccessible(page);
  const dialog = page.getByRole('dialog');

  await groupOf(counted).getByRole('button', { name: 'Let all 4 count' }).click();
  await dialog.getByRole('textbox').fill('sold before she left');
  await dialog.getByRole('button', { name: 'Let all 4 count' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(groupOf(counted)).toHaveCount(0);
  expect(
    await clinic.query('select count(*)::int from sync_ops where supersedes = any($1) and status = $2', [
      counted.opIds,
      'applied',
    ]),
  ).toEqual([{ count: 4 }]);

  await groupOf(voided).getByRole('button', { name: 'Void all 4' }).click();
  await expect(dialog.getByText(/was taken for this/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Training on a test day');
  await dialog.getByRole('button', { name: 'Void 4 operations' }).click();
  await expect(groupOf(voided)).toHaveCount(0);
  await expect
    .poll(() =>
      clinic.query(
        `select count(*)::int from attention_items where settled_at is null and kind = 'refused' and op_id = any($1)`,
        [voided.opIds],
      ),
    )
    .toEqual([{ count: 0 }]);
});

test('a rescue file delivers a tablet’s unsent work once, however often it is imported', async ({
  tabletOf,
  clinic,
}) => {
  const [broken, other] = [await tabletOf('counter'), await tabletOf('manager')];
  await broken.openCounter();
  await broken.context.setOffline(true);
  // Each sale is a treatment, a payment and a fiscal record.
  const numbers = [await sellTo(broken, 'Rescued One'), await sellTo(broken, 'Rescued Two')];
  await broken.openOutbox();
  await expect(broken.page.getByRole('region', { name: 'Not yet on the server' })).toContainText('EUR 120,00');
  await broken.page.getByRole('button', { name: 'Rescue file' }).click();
  const save = broken.page.getByRole('dialog', { name: 'Rescue file' });
  await expect(save.getByText('The file will hold 6 operations.')).toBeVisible();
  await expectAccessible(broken.page);
  await save.getByLabel('Passphrase', { exact: true }).fill('short');
  await save.getByLabel('Repeat the passphrase').fill(passphrase);
  await save.getByRole('button', { name: 'Save rescue file' }).click();
  await expect(save.getByText('At least 10 characters.')).toBeVisible();
  await save.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  const saved = broken.page.waitForEvent('download');
  await save.getByRole('button', { name: 'Save rescue file' }).click();
  const file = await (await saved).path();
  expect((await readFile(file, 'latin1')).includes('Rescued')).toBe(false);
  for (const number of numbers) expect(await ordersInvoiced(clinic, number)).toEqual([]);

  await other.openCounter();
  const dialog = other.page.getByRole('dialog', { name: 'Rescue file' });
  const bytes = await readFile(file);
  const choose = async (content: Buffer, words: string) => {
    await dialog
      .getByLabel('Choose a rescue file')
      .setInputFiles({ name: 'rescue.dcrescue', mimeType: 'application/octet-stream', buffer: content });
    await dialog.getByLabel('Passphrase', { exact: true }).fill(words);
    await dialog.getByRole('button', { name: 'Open the file' }).click();
  };
  const open = async () => {
    await other.openOutbox();
    await other.page.getByRole('button', { name: 'Rescue file' }).click();
    await dialog.getByRole('tab', { name: 'Import' }).click();
  };
  await open();
  await choose(bytes, 'another passphrase');
  await expect(dialog.getByText('Wrong passphrase.')).toBeVisible();
  await choose(Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]), passphrase);
  await expect(dialog.getByText('This rescue file is damaged. Copy it again from where it was saved.')).toBeVisible();
  await choose(Buffer.from('no such thing'), passphrase);
  await expect(dialog.getByText('This is not a rescue file.')).toBeVisible();

  for (const badge of ['Accepted 6', 'Already there 6']) {
    await choose(bytes, passphrase);
    await expect(dialog.getByText('2 · EUR 120,00')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send to the server' }).click();
    await expect(dialog.getByText('Everything in the file has been sent')).toBeVisible();
    await expect(dialog.getByText(badge)).toBeVisible();
    await expectAccessible(other.page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await open();
  }
  for (const number of numbers)
    expect(await ordersInvoiced(clinic, number)).toMatchObject([{ paid: 60, status: 'completed' }]);

  // The tablet comes back and finds its work on the server.
  await broken.context.setOffline(false);
  await expect(broken.page.getByText('Everything has been sent')).toBeVisible({ timeout: 30_000 });
  for (const number of numbers) expect(await ordersInvoiced(clinic, number)).toMatchObject([{ paid: 60 }]);
});

test('the diary lists an outage, and the sign-out dialog lists the unsent work @long', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  const { page, context } = tablet;
  await tablet.openCounter();
  await tablet.loseNetwork();
  const number = await sellTo(tablet, 'Carried Through');
  await page.getByRole('button', { name: /Recent sales/ }).click();
  await expect(page.getByRole('listitem').filter({ hasText: number })).toContainText('On this device');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Logout$|Account of/ })
    .last()
    .click();
  const leaving = page.getByRole('dialog', { name: 'Log out?' });
  await expect(leaving).toContainText(
    '2 operations are saved on this device and have not been sent. That includes 1 payment of EUR 60,00.',
  );
  await leaving.getByRole('button', { name: 'Stay signed in' }).click();

  await tablet.openOutbox();
  await page.getByRole('tab', { name: 'Outages' }).click();
  const diary = page.getByRole('region', { name: 'Outages' }).getByRole('listitem').first();
  await expect(diary).toContainText(/Now.*1 sale.*EUR 60,00/s);
  await page.reload();
  await context.setOffline(false);
  await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
  await page.getByRole('tab', { name: 'Outages' }).click();
  await expect(diary).toContainText(/1 sale.*EUR 60,00/s);
  await expect(diary).not.toContainText('Now');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to the counter' }).click();
  await page.getByRole('button', { name: /Recent sales/ }).click();
  const sent = page.getByRole('listitem').filter({ hasText: number });
  await expect(sent).toBeVisible();
  await expect(sent).not.toContainText('On this device');
});
