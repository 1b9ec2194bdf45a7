/** What a patient's page holds: how it arrives, who reads it, and who does not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import type { UpdatePatientPayload } from '#domain/patient/operations.ts';
import { may } from '#domain/permissions.ts';
import type { ChangesPage, PatientsPage } from '#domain/protocol/sync.ts';
import { roles } from '#domain/staff/roles.ts';
import { blankRecipient } from '#domain/tax/recipient.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let tablet: TestDevice;
let clinician: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  tablet = await TestDevice.enrol(server);
  clinician = await TestDevice.enrol(server, 'server');
});
afterAll(() => server.close());

const recipient = { name: 'Ana', tax_id: '12345678Z', address: 'Sol 2', postal_code: '28013', city: 'Madrid' };
const foreign = { ...blankRecipient, name: 'Ann', tax_id: 'AB123', id_type: '03' as const, country: 'FR' };

const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, device = tablet) =>
  server.app.inject({ method, url: `/api${url}`, headers: device.headers, ...(payload && { payload }) });
const patientOf = async (id: string, device = tablet) =>
  (await call('GET', `/patients/${id}`, undefined, device)).json<{ data: FullPatientResource }>().data;
/** Enters a patient an hour ago. */
async function meet(): Promise<string> {
  const id = newId();
  const entered = update(id, { patient: { patient_id: id, name: 'Ana Ruiz', phone: '600' } }, { minute: -60 });
  expect(await tablet.send(entered)).toMatchObject([{ status: 'applied' }]);
  return id;
}
/** An update from a patient's page, as a tablet queues it. */
const update = (
  id: string,
  change: Partial<UpdatePatientPayload>,
  { minute = 0, device = tablet }: { minute?: number; device?: TestDevice } = {},
) =>
  device.operation(
    'patient.update',
    { patient: { patient_id: id, name: 'Ana Ruiz', known: true }, ...change },
    {
      aggregate: `patient:${id}`,
      occurred_at: new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString(),
    },
  );
const found = async (search: string, device = tablet) =>
  (await call('GET', `/patients?search=${encodeURIComponent(search)}`, undefined, device))
    .json<{ data: FullPatientResource[] }>()
    .data.map(({ id }) => id);

describe('SYNC-2 an update of a patient', () => {
  test('is applied, told to other tablets with its receipt, and found by address and number', async () => {
    const id = await meet();
    const { cursor } = await tablet.pull();
    const sent = update(id, { email: 'ana_ruiz@example.com', notes: 'Calls first', recipient });
    expect(await tablet.send(sent)).toMatchObject([{ status: 'applied' }]);
    const details = { email: 'ana_ruiz@example.com', notes: 'Calls first', recipient };
    expect(await patientOf(id)).toMatchObject({ id, name: 'Ana Ruiz', phone: '600', ...details });
    const { rows, receipts } = await tablet.pull(cursor);
    expect(rows.patient_details).toEqual([{ id, ...details }]);
    expect(receipts.map(({ op_id }) => op_id)).toContain(sent.op_id);
    for (const text of ['ana_ruiz@ex', 'ruiz', '12345678z', '1234-5678-Z', '12345678'])
      expect(await found(text), text).toContain(id);
    for (const text of ['anaxruiz@ex', 'example', '%@', '@']) expect(await found(text), text).not.toContain(id);
    expect(await tablet.send(sent)).toMatchObject([{ status: 'applied', replayed: true }]);
  });

  test('keeps the later value of each field, whichever arrives first', async () => {
    const id = await meet();
    const other = await TestDevice.enrol(server);
    await tablet.send(update(id, { email: 'late@b.es', phone: '622' }, { minute: 20 }));
    await other.send(
      update(id, { email: 'early@b.es', notes: 'Only here', phone: '611' }, { minute: 10, device: other }),
      update(id, { recipient: foreign }, { minute: 30, device: other }),
    );
    await tablet.send(update(id, { recipient }, { minute: 25 }));
    expect(await patientOf(id)).toMatchObject({
      email: 'late@b.es',
      phone: '622',
      notes: 'Only here',
      recipient: foreign,
    });
    await tablet.send(update(id, { email: '', recipient: null }, { minute: 40 }));
    expect(await patientOf(id)).toMatchObject({ email: '', recipient: null, notes: 'Only here' });
    expect(await found('late@b.es')).toEqual([]);
    const { rows } = await (await TestDevice.enrol(server)).pull();
    expect(rows.patient_details.find((each) => each.id === id)).toMatchObject({ email: '', notes: 'Only here' });
  });

  test('creates a patient whom the server does not have, and renames one only if it says so', async () => {
    const id = newId();
    await tablet.send(update(id, { notes: 'New' }));
    expect(await patientOf(id)).toMatchObject({ name: 'Ana Ruiz', phone: '', notes: 'New' });
    await tablet.send(update(id, { patient: { patient_id: id, name: 'Anna Ruiz' } }, { minute: 1 }));
    await tablet.send(update(id, { phone: '1' }, { minute: 2 }));
    expect(await patientOf(id)).toMatchObject({ name: 'Anna Ruiz', phone: '1' });
  });

  test('is refused with a value of a wrong type or beyond its bound, and for another aggregate', async () => {
    const id = await meet();
    const wrong: object[] = [
      { email: 'x'.repeat(255) },
      { notes: 'x'.repeat(2001) },
      { notes: 'a\u0000b' },
      { email: ['a@b.es'] },
      { recipient: 'Ana' },
      { recipient: { ...recipient, tax_id: 'x'.repeat(21) } },
      { recipient: { ...recipient, country: 'XX' } },
      { recipient: { name: 'Ana' } },
      { patient: { patient_id: id } },
      { patient: { patient_id: 'no id', name: 'Ana' } },
      { birthday: '1990-01-01' },
    ];
    const sent = wrong.map((change) => update(id, change as never));
    const moved = { ...update(id, { notes: 'x' }), aggregate: `patient:${newId()}` };
    const order = { ...update(id, { notes: 'x' }), aggregate: `order:${id}` };
    const results = await tablet.send(...sent, moved, order);
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'refused'));
    expect(await patientOf(id)).toMatchObject({ email: '', notes: '', recipient: null });
  });

  test('of the largest and the oldest values is stored', async () => {
    const id = await meet();
    const largest = {
      email: 'é'.repeat(254),
      notes: '\u{1F600}'.repeat(1000),
      recipient: {
        name: 'n'.repeat(200),
        tax_id: 't'.repeat(20),
        address: '"'.repeat(200),
        postal_code: '9'.repeat(20),
        city: '%'.repeat(100),
      },
    };
    const oldest = update(id, { notes: 'From 1970' });
    oldest.occurred_at = '1970-01-01T00:00:00.000Z';
    const results = await tablet.send(oldest, update(id, largest));
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(await patientOf(id)).toMatchObject(largest);
  });
});

describe('the details of a patient over REST', () => {
  test('are written and checked with the form, and stay when it leaves them out', async () => {
    const id = await meet();
    const details = { email: 'ana@b.es', notes: 'Calls first', recipient: foreign };
    const changed = await call('PUT', `/patients/${id}`, { name: 'Ana Ruiz', phone: '600', ...details });
    expect(changed.json().data).toEqual({ id, name: 'Ana Ruiz', phone: '600', ...details });
    await call('PUT', `/patients/${id}`, { name: 'Ana Ruiz', phone: '600' });
    expect(await patientOf(id)).toMatchObject(details);
    const refused = await call('PUT', `/patients/${id}`, {
      name: 'Ana Ruiz',
      email: 'ana',
      notes: 'x'.repeat(2001),
      recipient: { ...recipient, tax_id: '12345678A' },
    });
    expect(refused.json()).toMatchObject({
      code: 'VALIDATION',
      details: {
        email: 'Invalid email format',
        notes: 'This text is too long',
        recipient: 'This is not a valid NIF, NIE or CIF',
      },
    });
  });

  test('are in the patient’s file with the times of their changes', async () => {
    const id = await meet();
    const details = { email: 'ana@b.es', notes: 'Calls first', recipient };
    await tablet.send(update(id, details));
    const manager = await TestDevice.enrol(server, 'manager');
    const { patient } = (await call('GET', `/patients/${id}/export`, undefined, manager)).json<{ patient: object }>();
    const at = expect.stringMatching(/^20/);
    expect(patient).toMatchObject({ ...details, email_changed_at: at, notes_changed_at: at, recipient_changed_at: at });
  });
});

describe.each(roles)('SECURITY %s', (role) => {
  const reads = may(role, 'patient.details');
  test(`${reads ? 'reads' : 'neither reads, finds nor writes'} the details of a patient`, async () => {
    const device = await TestDevice.enrol(server, role);
    const id = await meet();
    const secret = { email: `${role}@secret.example`, notes: 'deskmark', recipient };
    await tablet.send(update(id, secret));
    const page = await device.pull();
    expect(page.rows.patient_details.some((each) => each.id === id)).toBe(reads);
    if (!may(role, 'patient.read')) return;
    const shown = reads ? secret : { email: '', notes: '', recipient: null };
    expect(await patientOf(id, device)).toMatchObject(shown);
    expect(await found(secret.email, device)).toEqual(reads ? [id] : []);
    const [listed] = (await call('GET', '/patients?search=Ana&per_page=1', undefined, device)).json().data as object[];
    if (!reads) expect(listed).toMatchObject(shown);
    const [result] = await device.send(update(id, { notes: 'Written by me' }, { minute: 5, device }));
    expect(result!.status).toBe(reads ? 'applied' : 'refused');
    const put = await call('PUT', `/patients/${id}`, { name: 'Ana Ruiz', notes: 'By REST' }, device);
    expect(put.statusCode).toBe(reads ? 200 : 403);
    if (!reads) expect(await patientOf(id)).toMatchObject(secret);
  });
});

test('SECURITY of another clinic can neither be read, found nor changed', async () => {
  const id = await meet();
  await tablet.send(update(id, { email: 'here@only.example', recipient }));
  const clinicId = await server.addClinic();
  const foreigner = await TestDevice.enrol(server, 'manager', clinicId);
  expect((await foreigner.pull()).rows.patient_details).toEqual([]);
  for (const text of ['here@only.example', '12345678Z']) expect(await found(text, foreigner)).toEqual([]);
  expect(await foreigner.send(update(id, { notes: 'Theirs' }, { device: foreigner }))).toMatchObject([
    { status: 'applied' },
  ]);
  expect(await patientOf(id)).toMatchObject({ email: 'here@only.example', notes: '' });
  expect(await patientOf(id, foreigner)).toMatchObject({ email: '', notes: 'Theirs' });
});

describe('SYNC-9 the details of patients on a tablet', () => {
  const changes = async (device: TestDevice, query: string): Promise<ChangesPage> =>
    (await call('GET', `/sync/changes${query}`, undefined, device)).json<{ data: ChangesPage }>().data;
  const from = (cursor: string, more = '') => `?cursor=${encodeURIComponent(cursor)}${more}`;

  test('come to the next person who may read them, from where the one before could not', async () => {
    const id = await meet();
    const { cursor } = await changes(tablet, '');
    await tablet.send(update(id, { notes: 'While the clinician worked' }));
    const between = await changes(clinician, from(cursor));
    expect(between.rows.patient_details).toEqual([]);
    expect((await changes(tablet, from(between.cursor))).rows.patient_details).toMatchObject([{ id }]);
    const emptied = await changes(clinician, from(between.cursor, '&lacks=patient_details'));
    const again = await changes(tablet, from(emptied.cursor));
    expect(again.rows.patient_details.length).toBeGreaterThan(1);
    expect(again.rows.patients).toEqual([]);
  });

  test('come with the pages of the first patients, and not to a locked tablet', async () => {
    const id = await meet();
    await tablet.send(update(id, { notes: 'On a page' }));
    const first = await changes(tablet, '?later=patients');
    expect([first.patients_follow, first.rows.patient_details]).toEqual([true, []]);
    const page = (await call('GET', '/sync/patients')).json<{ data: PatientsPage }>().data;
    expect(page.details!.find((each) => each.id === id)).toMatchObject({ notes: 'On a page' });
    expect((await call('GET', '/sync/patients', undefined, clinician)).json().data).not.toHaveProperty('details');
    const device = await TestDevice.enrol(server);
    await server.app.inject({
      method: 'POST',
      url: '/api/auth/lock',
      headers: { authorization: `Bearer ${device.info.page_token!}` },
    });
    const headers = { authorization: `Bearer ${device.info.sync_token!}` };
    const locked = async (url: string) => (await server.app.inject({ url: `/api/sync/${url}`, headers })).json().data;
    expect(await locked('patients')).not.toHaveProperty('details');
    expect((await locked('changes')).rows.patient_details).toEqual([]);
  });
});
