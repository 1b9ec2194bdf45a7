import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DayEnd } from '#domain/notification/day-end.ts';
import { openDatabase } from '#server/db/database.ts';
import { EmailJob } from '#server/modules/notifications/email-job.ts';
import { smtpMailer } from '#server/modules/notifications/mailer.ts';
import type { Mailer } from '#server/modules/notifications/mailer.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { Mailbox } from '#tests/support/mailbox.ts';
import { startTestServer } from '#tests/support/server.ts';
import { BackOffice, soundItem } from '../stock/clinic.ts';

const minuteMs = 60_000;
const noon = Date.parse('2026-03-30T10:30:00Z');
/** Half an hour into the last of March in Madrid, where clocks went forward two days before. */
const afterMidnight = Date.parse('2026-03-30T22:30:00Z');

let nowMs: number;
let office: BackOffice;
let box: Mailbox;
let faults: unknown[];

beforeEach(async () => {
  nowMs = noon;
  faults = [];
  office = await BackOffice.open({ now: () => nowMs });
  box = await Mailbox.open();
  await change({
    practice_name: 'Clínica Ñandú',
    notification_email: 'jefa@clinic.test',
    daily_reports: true,
    low_stock_alerts: true,
  });
});
afterEach(async () => {
  await box.close();
  await office.server.close();
});

const change = (settings: object) =>
  office.rows('update settings set data = data || $2::jsonb where clinic_id = $1', [
    office.server.clinicId,
    JSON.stringify(settings),
  ]);
const realMailer = () => smtpMailer({ url: box.url, from: 'Dental Counter <reports@clinic.test>' });
const emailJobOver = (mailer: Mailer, database = office.server.database) =>
  new EmailJob({ database, clock: () => nowMs, mailer }, (fault) => faults.push(fault));
const emails = () =>
  office.rows<{ kind: string; day: string; status: string; attempts: number }>(
    'select kind, day::text, status, attempts from letters order by kind, day',
  );

async function sell(): Promise<void> {
  const { id } = await office.item({
    name: 'Filling <large>',
    cost_per_unit: 80,
    quantity: 20,
    low_stock_threshold: 5,
  });
  const created = await office.call('POST', '/orders', {
    items: [{ stock_id: id, quantity: 2 }],
    customer_name: 'Secret Patient',
  });
  const { id: orderId } = created.json<{ data: { id: string } }>().data;
  await office.call('POST', `/payments/orders/${orderId}/pay`, { payment_method: 'card', amount: 160 });
  await office.call('POST', `/orders/${orderId}/refunds`, {
    refund_id: newId(),
    payment_method: 'card',
    amount: 10,
    reason: 'mistyped',
    still_owed: true,
  });
  await office.call('POST', `/payments/orders/${orderId}/pay`, { payment_method: 'cash', amount: 10 });
}
const runLow = () =>
  office.item({ name: 'Gloves', unit: 'boxes', quantity: 2, low_stock_threshold: 5, supplier: 'Madrid Dental' });

const refuseUpdates = `
  create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
  create trigger refuses before update on letters for each statement execute function refuse();`;

describe('the day-end summary', () => {
  test('has the totals of the day', async () => {
    await sell();
    await runLow();
    const { data } = await office.get<{ data: DayEnd }>('/reports/day-end');
    expect(data).toMatchObject({
      day: '2026-03-30',
      isOver: false,
      orders: 1,
      cancelled: 0,
      gross: 170,
      refunds: 10,
      revenue: 160,
      net: 160,
      averageOrder: 160,
      before: { day: '2026-03-29', revenue: 0, change: null },
      byMethod: [
        { method: 'card', count: 2, amount: 150 },
        { method: 'cash', count: 1, amount: 10 },
      ],
      topServices: [{ name: 'Filling <large>', quantity: 2, revenue: 160 }],
      shelf: [{ name: 'Gloves', type: 'low_stock', quantity: 2, threshold: 5, isNew: true }],
    });
    expect((await office.get<{ data: DayEnd }>('/reports/day-end?day=2026-03-28')).data).toMatchObject({
      day: '2026-03-28',
      isOver: true,
      orders: 0,
      revenue: 0,
    });
    expect((await office.call('GET', '/reports/day-end?day=2026-02-30')).statusCode).toBe(400);
  });

  test('has the drawers of the day, without the figures of an open one', async () => {
    const device = await TestDevice.enrol(office.server);
    const drawer = device.operation(
      'drawer.open',
      { drawer_id: newId(), currency: 'EUR', float: 100 },
      { occurred_at: new Date(nowMs).toISOString() },
    );
    const { drawer_id } = drawer.payload as { drawer_id: string };
    await device.send(drawer);
    const read = async (day = '2026-03-30') =>
      (await office.get<{ data: DayEnd }>(`/reports/day-end?day=${day}`)).data.drawers;
    expect(await read()).toEqual([
      expect.objectContaining({
        id: drawer_id,
        device: device.info.code,
        closed_at: null,
        closedBy: '',
        expected: null,
        counted: null,
        difference: null,
      }),
    ]);
    expect(await read('2026-03-29')).toEqual([]);
    nowMs += 60 * minuteMs;
    await device.send(
      device.operation(
        'drawer.close',
        { drawer_id, counted: { cash: 98.5, card: 0, insurance: 0, others: 0 } },
        { depends_on: [drawer.op_id], occurred_at: new Date(nowMs).toISOString() },
      ),
    );
    expect(await read()).toEqual([
      expect.objectContaining({
        id: drawer_id,
        closed_at: new Date(nowMs).toISOString(),
        closedBy: 'counter',
        expected: 100,
        counted: 98.5,
        difference: -1.5,
      }),
    ]);
    expect(await read('2026-03-31')).toEqual([]);

    // The mail contains the same: the counted amounts, and for an open drawer only that it is open.
    await device.send(
      device.operation(
        'drawer.open',
        { drawer_id: newId(), currency: 'EUR', float: 50 },
        { occurred_at: new Date(nowMs).toISOString() },
      ),
    );
    nowMs = afterMidnight;
    await emailJobOver(realMailer()).look();
    const { text } = box.messages[0]!;
    expect(text).toMatch(/Drawer +Expected +Counted +Difference\r?\n/);
    expect(text).toMatch(
      new RegExp(`${device.info.code} · opened 30/03, \\d\\d:\\d\\d +EUR 100,00 +EUR 98,50 +EUR -1,50\\r?\\n`),
    );
    expect(text).toMatch(new RegExp(`${device.info.code} · opened 30/03, \\d\\d:\\d\\d +Not closed yet`));
  });

  test('is sent once when the clinic’s day has ended, and names no patient', async () => {
    await sell();
    const delivery = emailJobOver(realMailer());
    await delivery.look();
    // From noon on no mail is sent about the previous day, and the current day has not ended.
    expect(box.messages).toEqual([]);
    nowMs = afterMidnight;
    await delivery.look();
    await delivery.look();
    await emailJobOver(realMailer()).look();
    expect(faults).toEqual([]);
    expect(box.messages).toHaveLength(1);
    const { to, headers, text, html } = box.messages[0]!;
    expect(to).toEqual(['jefa@clinic.test']);
    expect(headers).toMatchObject({
      from: 'Dental Counter <reports@clinic.test>',
      subject: expect.stringMatching(/^Day-end summary of Monday,? 30 March 2026 · Clínica Ñandú$/),
    });
    expect(headers['message-id']).toBe(`<day_end.2026-03-30.${office.server.clinicId}@clinic.test>`);
    expect(text).toContain('Clínica Ñandú took EUR 160,00; treatments: 1.');
    expect(text).toMatch(/Payments +EUR 170,00\r?\nRefunds +EUR 10,00\r?\nRevenue +EUR 160,00/);
    expect(text).toMatch(/Filling <large> +2 +EUR 160,00/);
    expect(html).toContain('Filling &lt;large&gt;');
    expect(html).not.toContain('<large>');
    expect(html).not.toMatch(/src=|href=|<script/);
    expect(text + html + JSON.stringify(headers)).not.toContain('Secret');
  });

  test('uses the clinic’s language', async () => {
    await change({ default_language: 'sp' });
    nowMs = afterMidnight;
    await emailJobOver(realMailer()).look();
    expect(box.messages[0]!.headers['subject']).toBe('Resumen del lunes, 30 de marzo de 2026 · Clínica Ñandú');
    expect(box.messages[0]!.text).toContain('Clínica Ñandú ha ingresado EUR 0,00; tratamientos: 0.');
  });

  test.each([
    ['daily reports are off', { daily_reports: false }],
    ['there is no recipient', { notification_email: '' }],
  ])('is not sent when %s', async (_, settings) => {
    await change(settings);
    nowMs = afterMidnight;
    await emailJobOver(realMailer()).look();
    expect(box.messages).toEqual([]);
    expect(await emails()).not.toContainEqual(expect.objectContaining({ kind: 'day_end' }));
  });

  test('is sent once when several processes run the job at the same time', async () => {
    nowMs = afterMidnight;
    const others = [1, 2, 3].map(() => openDatabase(office.server.connectionString));
    const deliveries = others.map((database) => emailJobOver(realMailer(), database));
    await Promise.all(deliveries.map((delivery) => delivery.look()));
    await Promise.all(others.map((database) => database.$client.end()));
    expect(box.attempts).toBe(1);
    expect(await emails()).toContainEqual({ kind: 'day_end', day: '2026-03-30', status: 'sent', attempts: 1 });
  });

  test('is retried at growing intervals until noon while the mail server refuses it', async () => {
    nowMs = afterMidnight;
    box.refusal = { responseCode: 451, message: 'try later' };
    const delivery = emailJobOver(realMailer());
    const tries: number[] = [];
    for (let minute = 0; minute < 60; minute++) {
      const before = box.attempts;
      await delivery.look();
      if (box.attempts > before) tries.push(minute);
      nowMs += minuteMs;
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31]);
    expect(faults).toHaveLength(tries.length);
    box.refusal = null;
    nowMs = Date.parse('2026-03-31T09:59:00Z');
    await delivery.look();
    expect(box.messages).toHaveLength(1);

    box.refusal = { responseCode: 550, message: 'no' };
    nowMs = afterMidnight + 24 * 60 * minuteMs;
    await delivery.look();
    box.refusal = null;
    nowMs = Date.parse('2026-04-01T10:01:00Z');
    await delivery.look();
    expect(box.messages).toHaveLength(1);
  });

  test('is not sent again when the database failed to store that it was sent', async () => {
    nowMs = afterMidnight;
    const mailer = realMailer();
    const delivery = emailJobOver({
      async send(...email) {
        await mailer.send(...email);
        await office.rows(refuseUpdates);
      },
    });
    await delivery.look();
    expect(box.messages).toHaveLength(1);
    await office.rows('drop trigger refuses on letters');
    expect((await emails()).find(({ kind }) => kind === 'day_end')!.status).toBe('due');
    await delivery.look();
    expect(box.messages).toHaveLength(1);
    expect((await emails()).find(({ kind }) => kind === 'day_end')!.status).toBe('sent');
  });

  test('SYNC-9 does not delay the feed while the mail server is slow', async () => {
    nowMs = afterMidnight;
    let writing: unknown[] = ['not asked'];
    await emailJobOver({
      async send() {
        writing = await office.rows(
          'select query from pg_stat_activity where datname = current_database() and backend_xid is not null',
        );
      },
    }).look();
    expect(writing).toEqual([]);
  });

  test('is skipped without an error when there is no mail server', async () => {
    nowMs = afterMidnight;
    const mailer = realMailer();
    await box.close();
    await expect(emailJobOver(mailer).look()).resolves.toBe(undefined);
    expect(faults).toHaveLength(1);
    nowMs = noon;
    expect((await office.call('GET', '/orders')).statusCode).toBe(200);
    box = await Mailbox.open();
  });
});

describe('the low-stock digest', () => {
  const digests = () => box.messages.filter(({ headers }) => headers['message-id']!.startsWith('<low_stock'));

  test('is sent when the day raised an alert, new alerts first', async () => {
    await runLow();
    nowMs = afterMidnight;
    const delivery = emailJobOver(realMailer());
    await delivery.look();
    expect(digests()).toHaveLength(1);
    expect(digests()[0]!.headers['subject']).toBe('1 new stock alert · Clínica Ñandú');
    expect(digests()[0]!.text).toMatch(/Gloves +Low stock +Madrid Dental +2 boxes/);

    // The next day brings nothing: what still stands is no news.
    nowMs += 24 * 60 * minuteMs;
    await delivery.look();
    expect(digests()).toHaveLength(1);
    expect(await emails()).toContainEqual({ kind: 'low_stock', day: '2026-03-31', status: 'empty', attempts: 1 });

    const headers = { authorization: `Bearer ${await office.server.login('manager')}` };
    await office.server.app.inject({
      method: 'POST',
      url: '/api/stock',
      headers,
      payload: { ...soundItem, name: 'Masks', quantity: 0, low_stock_threshold: 5 },
    });
    nowMs += 24 * 60 * minuteMs;
    await delivery.look();
    const { text } = digests()[1]!;
    expect(text.indexOf('Masks')).toBeGreaterThan(0);
    expect(text.indexOf('Masks')).toBeLessThan(text.indexOf('Gloves'));
  });

  test('is not sent when low stock alerts are off', async () => {
    await runLow();
    await change({ low_stock_alerts: false });
    nowMs = afterMidnight;
    await emailJobOver(realMailer()).look();
    expect(digests()).toEqual([]);
  });
});

describe('the error notification', () => {
  const notices = () => box.messages.filter(({ headers }) => headers['message-id']!.startsWith('<attention'));
  const refuse = async () => {
    const device = await TestDevice.enrol(office.server);
    const refused = device.create([line({ name: 'Secret tooth', unit_price: -1 })], {
      occurred_at: new Date(nowMs).toISOString(),
    });
    Object.assign(refused.payload, { customer_name: 'Secret Patient' });
    expect(await device.send(refused)).toMatchObject([{ status: 'refused' }]);
    return { code: device.info.code, number: refused.payload.number };
  };

  test("lists the day's attention items, and names no patient", async () => {
    const first = await refuse();
    nowMs = afterMidnight;
    const delivery = emailJobOver(realMailer());
    await delivery.look();
    expect(notices()).toHaveLength(1);
    const { headers, text, html } = notices()[0]!;
    expect(headers['subject']).toBe('1 new item needs attention · Clínica Ñandú');
    expect(text).toMatch(new RegExp(`Refused by the server +${first.number} +${first.code} +30/03, 12:30`));
    expect(text + html).not.toContain('Secret');

    // What still stands is no news; with something new it is told again, below.
    nowMs += 24 * 60 * minuteMs;
    await delivery.look();
    expect(notices()).toHaveLength(1);
    const second = await refuse();
    nowMs += 24 * 60 * minuteMs;
    await change({ default_language: 'sp' });
    await delivery.look();
    const later = notices()[1]!;
    expect(later.headers['subject']).toBe('1 asunto nuevo requiere atención · Clínica Ñandú');
    expect(later.text.indexOf(second.number)).toBeGreaterThan(0);
    expect(later.text.indexOf(second.number)).toBeLessThan(later.text.indexOf(first.number));
  });

  test('is not sent when error notifications are off', async () => {
    await refuse();
    await change({ error_notifications: false });
    nowMs = afterMidnight;
    await emailJobOver(realMailer()).look();
    expect(notices()).toEqual([]);
  });
});

describe('the test mail', () => {
  test('is refused without a mail server', async () => {
    const admin = await office.server.login('admin');
    const reply = await office.server.app.inject({
      method: 'POST',
      url: '/api/settings/test-mail',
      headers: { authorization: `Bearer ${admin}` },
    });
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'MAIL_NOT_SET_UP']);
  });

  test('arrives, or reports that the mail server refused it', async () => {
    const server = await startTestServer({ environment: { SMTP_URL: box.url, SMTP_FROM: 'reports@clinic.test' } });
    const headers = { authorization: `Bearer ${await server.login('admin')}` };
    await server.app.inject({
      method: 'PUT',
      url: '/api/settings',
      headers,
      payload: { notification_email: 'jefa@clinic.test' },
    });
    const ask = () => server.app.inject({ method: 'POST', url: '/api/settings/test-mail', headers });
    expect((await ask()).json()).toEqual({ success: true, data: { to: 'jefa@clinic.test' } });
    expect(box.messages.map(({ to, headers: { subject } }) => [to, subject])).toEqual([
      [['jefa@clinic.test'], 'Test mail · Dental Counter'],
    ]);
    box.refusal = { responseCode: 550, message: 'no such box' };
    const failed = await ask();
    expect([failed.statusCode, failed.json()]).toEqual([
      502,
      { success: false, code: 'MAIL_FAILED', message: 'The mail server refused the message.' },
    ]);
    await server.close();
  });

  test('of a clinic is sent five times in a row, then every two minutes', async () => {
    const environment = { SMTP_URL: box.url, SMTP_FROM: 'reports@clinic.test', REQUEST_LIMITS: '1' };
    const server = await startTestServer({ environment, now: () => nowMs });
    const headers = { authorization: `Bearer ${await server.login('admin')}` };
    const payload = { notification_email: 'jefa@clinic.test' };
    await server.app.inject({ method: 'PUT', url: '/api/settings', headers, payload });
    const ask = async () =>
      (await server.app.inject({ method: 'POST', url: '/api/settings/test-mail', headers })).statusCode;
    const statuses = [];
    for (let sent = 0; sent < 20; sent += 1) statuses.push(await ask());
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    nowMs += 120_000;
    expect([await ask(), await ask()]).toEqual([200, 429]);
    expect(box.messages).toHaveLength(6);
    await server.close();
  });
});
