import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { saveAgencySystem } from '#server/modules/clinics/service.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.login('admin');
});
afterAll(() => server.close());

async function ask(method: 'GET' | 'PUT', token: string, payload?: object) {
  const reply = await server.app.inject({
    method,
    url: '/api/settings',
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
  return {
    status: reply.statusCode,
    body: reply.json<{ code?: string; details?: Record<string, string>; data: ClinicSettings }>(),
  };
}

test('changes the given settings, keeps the rest, and names the changed ones in the audit log', async () => {
  const changes = {
    practice_name: 'Clínica Sol',
    paper_width: '58mm',
    order_timeout_minutes: 120,
    default_language: 'sp',
    currency: 'GBP',
  };
  expect((await ask('PUT', admin, changes)).body.data).toEqual({ ...defaultSettings, ...changes });
  expect((await ask('GET', admin)).body.data).toEqual({ ...defaultSettings, ...changes });
  const [entry] = await server.database.select().from(auditLog).where(eq(auditLog.action, 'settings.changed'));
  expect(String(entry!.details['fields']).split(' ').sort()).toEqual(Object.keys(changes).sort());
});

test('sends changed settings to the tablets through the feed', async () => {
  await ask('PUT', admin, { receipt_footer: 'Hasta pronto' });
  const told = async () => {
    const reply = await server.app.inject({ url: '/api/sync/changes', headers: { authorization: `Bearer ${admin}` } });
    return reply.json<{ data: { rows: { settings: ClinicSettings | null } } }>().data.rows.settings?.receipt_footer;
  };
  // The feed waits for every open transaction of the PostgreSQL server, on which other tests write as well.
  await expect.poll(told).toBe('Hasta pronto');
});

test('tells the tablets which system of the tax agency takes the records, and nobody edits it', async () => {
  const system = async () => (await ask('GET', admin)).body.data.verifactu_system;
  expect(await system()).toBe('production');
  await saveAgencySystem(server.database.$client, 'test', Date.now());
  expect(await system()).toBe('test');
  expect((await ask('PUT', admin, { verifactu_system: 'production' })).status).toBe(400);
  await saveAgencySystem(server.database.$client, 'production', Date.now());
  expect(await system()).toBe('production');
});

test.each([
  [{ practice_name: ' ' }, { practice_name: 'This field is required' }],
  [{ currency_symbol: '' }, { currency_symbol: 'This field is required' }],
  [{ order_timeout_minutes: 0 }, { order_timeout_minutes: 'Enter 1 to 120 minutes' }],
  [{ order_timeout_minutes: 121 }, { order_timeout_minutes: 'Enter 1 to 120 minutes' }],
  [{ lock_minutes: 0 }, { lock_minutes: 'Enter 1 to 60 minutes' }],
  [{ lock_minutes: 61 }, { lock_minutes: 'Enter 1 to 60 minutes' }],
  [{ lock_minutes: 1.5 }, { lock_minutes: 'Enter 1 to 60 minutes' }],
  [{ service_charge_rate: 101 }, { service_charge_rate: 'Enter a percentage from 0 to 100' }],
  [{ discount_limit_percent: -1 }, { discount_limit_percent: 'Enter a percentage from 0 to 100' }],
  [{ email: 'nobody' }, { email: 'Invalid email format' }],
  [{ time_zone: 'Europe/Atlantis' }, { time_zone: 'Unknown time zone' }],
  [{ logo_url: 'https://elsewhere.test/logo.png' }, { logo_url: 'Choose a picture that was uploaded here' }],
  [{ document_colour: 'red' }, { document_colour: 'A colour has six hexadecimal digits, such as #0b5150' }],
  [{ receipt_header: 'x'.repeat(1001) }, { receipt_header: 'This text is too long' }],
])('refuses %j and changes nothing', async (changes, details) => {
  const before = (await ask('GET', admin)).body.data;
  expect(await ask('PUT', admin, { ...changes, address: 'Elsewhere' })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION', details },
  });
  expect((await ask('GET', admin)).body.data).toEqual(before);
});

test('SECURITY lists no demo account outside demo mode', async () => {
  const reply = await server.app.inject({ url: '/api/session-options' });
  expect(reply.json()).toMatchObject({ data: { demo: false, accounts: [] } });
});

test('returns the name and the language of the clinic to the sign-in page', async () => {
  await ask('PUT', admin, { practice_name: 'Clínica Sol', default_language: 'sp' });
  const reply = await server.app.inject({ url: '/api/session-options' });
  expect(reply.json()).toMatchObject({ data: { practice_name: 'Clínica Sol', default_language: 'sp' } });
});

test('the default texts of documents are Spanish once a clinic chooses the profile for Spain; its own texts stay', async () => {
  const clinicId = await server.addClinic();
  const own = await server.login('admin', { clinicId });
  const profile = { tax_profile: 'ES', legal_name: 'Luz, S.L.', tax_id: 'B65410011', address: 'Calle Mayor 1' };
  const settings = { ...profile, postal_code: '28013', city: 'Madrid', receipt_footer: 'Hasta la vista' };
  const { body } = await ask('PUT', own, settings);
  expect(body.data).toMatchObject({
    receipt_header: '¡Gracias por confiar en nuestra clínica dental!',
    receipt_footer: 'Hasta la vista',
  });
  const english = 'Thank you for choosing our dental practice!';
  expect((await ask('PUT', own, { receipt_header: english })).body.data).toMatchObject({ receipt_header: english });
});
