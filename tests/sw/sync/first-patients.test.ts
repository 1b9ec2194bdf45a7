/** The first patients of a new tablet, which follow the rest of the feed page by page. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { updatePatient } from '#src/db/commands/patients.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { arePatientsPartial, findPatients } from '#src/db/queries/patients.ts';
import { detailsRow } from '#src/db/rows.ts';
import { valueOf } from '#tests/src/db/tablet.ts';
import { elsewhere, error, lost } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

const ids = Array.from({ length: 7 }, (_, index) => `p${index}`);

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
  for (const id of ids) rig.server.changePatient({ id, name: `Ana Ruiz ${id}`, phone: '' });
  rig.server.change(elsewhere('x'));
  rig.server.pageSize = 3;
});
afterEach(() => rig.tablet.close());

const stored = async () => (await rig.tablet.db.patients.toArray()).map(({ id }) => id);
const pages = () => rig.server.calls.filter(({ path }) => path.startsWith('/sync/patients')).length;
const nameOf = async (id: string) => (await rig.tablet.db.patients.get(id))?.name;

/** Lets the first calls for patients arrive, and none after them. */
function patientsStopAfter(answered: number): void {
  rig.server.rule = (call, handle) => (call.path.startsWith('/sync/patients') && pages() > answered ? null : handle());
}

test('SYNC-9 the counter is usable before the first patient arrives, and all arrive in small transactions', async () => {
  const usable: boolean[] = [];
  const add = rig.store.addPatients.bind(rig.store);
  vi.spyOn(rig.store, 'addPatients').mockImplementation(async (...given) => {
    const { db } = rig.tablet;
    usable.push(
      (await db.catalogue.count()) === 2 && (await db.orders.count()) === 1 && (await arePatientsPartial(db)),
    );
    return add(...given);
  });
  await rig.engine.run('signed-in');
  expect(usable).toEqual([true, true, true]);
  expect(await stored()).toEqual(ids);
  expect(await arePatientsPartial(rig.tablet.db)).toBe(false);
  expect(await rig.store.position()).toMatchObject({ patients_after: null });
});

test('SYNC-9 an interrupted reading continues after its last page, also in another engine', async () => {
  patientsStopAfter(1);
  await rig.engine.run('signed-in');
  expect([await stored(), await arePatientsPartial(rig.tablet.db)]).toEqual([ids.slice(0, 3), true]);
  rig.server.rule = (_call, handle) => handle();
  await rig.newEngine().run('online');
  expect([await stored(), pages()]).toEqual([ids, 4]);
});

test('SYNC-9 work of this device goes before the next page', async () => {
  let isAsked = false;
  const add = rig.store.addPatients.bind(rig.store);
  vi.spyOn(rig.store, 'addPatients').mockImplementation(async (...given) => {
    await add(...given);
    if (isAsked) return;
    isAsked = true;
    await rig.sell();
    void rig.engine.run('write');
  });
  await rig.engine.run('signed-in');
  const order = rig.server.calls.map(({ path }) => path.split('?')[0]).filter((path) => path !== '/sync/changes');
  expect(order.slice(0, 3)).toEqual(['/sync/patients', '/sync/batch', '/sync/patients']);
  expect(await stored()).toEqual(ids);
});

test('SYNC-9 a page does not replace what the feed has brought since', async () => {
  patientsStopAfter(1);
  await rig.engine.run('signed-in');
  rig.server.changePatient({ id: 'p5', name: 'Eva Rey', phone: '' });
  await rig.engine.run('online');
  const { epoch, patients_after: after } = await rig.store.position();
  const late = [{ id: 'p5', name: 'Ana Ruiz p5', phone: '' }];
  await rig.store.addPatients({ epoch: epoch!, server_time: '', patients: late, more: false }, after!);
  expect(await nameOf('p5')).toBe('Eva Rey');
});

test('SYNC-9 a patient who was entered and sent before the first pull becomes the server’s row', async () => {
  const patient = { id: 'p9', name: 'Luz Vega', phone: '', isKnown: false };
  const services = [{ itemKey: 's1', quantity: 1 }];
  valueOf(await createTreatment(rig.tablet, { orderType: 'walk_in', services, patient }));
  expect((await rig.tablet.db.patients.get('p9'))!.unsent).toBe(1);
  await rig.engine.run('signed-in');
  expect(await rig.tablet.db.patients.get('p9')).toMatchObject({ name: 'Luz Vega' });
  expect(await rig.tablet.db.patients.get('p9')).not.toHaveProperty('unsent');
});

test('SYNC-9 a page brings the details of its patients; one without them leaves the feed to bring them', async () => {
  patientsStopAfter(0);
  await rig.engine.run('signed-in');
  const { db } = rig.tablet;
  const { epoch } = await rig.store.position();
  const page = (place: number, more: boolean) => ({
    epoch: epoch!,
    server_time: '',
    patients: [{ id: ids[place]!, name: 'Ana', phone: '' }],
    more,
  });
  const details = [{ id: ids[0]!, email: 'ana@example.com', notes: '', recipient: null }];
  await rig.store.addPatients({ ...page(0, true), details }, '');
  expect(await findPatients(db, { text: 'ana@ex', limit: 5, inDetails: true })).toMatchObject([{ id: ids[0] }]);
  expect((await rig.store.position()).lacks).toEqual([]);
  // The feed has brought newer ones.
  await db.patient_details.put(detailsRow({ ...details[0]!, email: 'new@example.com' }));
  await db.sync.update('this', { patients_after: '' });
  await rig.store.addPatients({ ...page(0, true), details }, '');
  expect(await db.patient_details.get(ids[0]!)).toMatchObject({ email: 'new@example.com' });
  await rig.store.addPatients(page(1, true), ids[0]!);
  await rig.store.addPatients(page(2, false), ids[1]!);
  expect(await rig.store.position()).toMatchObject({ lacks: ['patient_details'], patients_after: null });
});

test('SYNC-9 a page does not take back what is changed here meanwhile', async () => {
  const { tablet } = rig;
  const known = { id: 'p3', name: 'Ana Ruiz', phone: '', email: '', notes: '', recipient: null };
  patientsStopAfter(0);
  await rig.engine.run('signed-in');
  rig.server.rule = (call, handle) => (call.path.startsWith('/sync/batch') ? null : handle());
  valueOf(await updatePatient(tablet, { id: 'p3', change: { notes: 'Calls first' }, known }));
  await rig.engine.run('online');
  expect(await tablet.db.patients.get('p3')).toMatchObject({ name: 'Ana Ruiz', unsent: 1 });
  expect(await tablet.db.patient_details.get('p3')).toMatchObject({ notes: 'Calls first' });
});

test('SYNC-16 a page of another epoch, or after starting over, is not stored', async () => {
  patientsStopAfter(1);
  await rig.engine.run('signed-in');
  const { epoch, patients_after: after } = await rig.store.position();
  const page = { server_time: '', patients: [{ id: 'p4', name: 'Ana', phone: '' }], more: true };
  await rig.store.addPatients({ ...page, epoch: 'other' }, after!);
  await rig.tablet.db.sync.update('this', { cursor: null });
  await rig.store.addPatients({ ...page, epoch: epoch! }, after!);
  expect(await stored()).toEqual(ids.slice(0, 3));
  rig.server.rule = (_call, handle) => handle();
  await rig.engine.run('online');
  expect(await stored()).toEqual(ids);
});

test('SYNC-16 after a restore, a page brings what the server has under an update that waits', async () => {
  await rig.engine.run('signed-in');
  rig.server.changePatient({ id: 'p3', name: 'Ana Ruiz', phone: '600 111 222' });
  await rig.engine.run('online');
  rig.server.rule = (call, handle) => (call.path.startsWith('/sync/batch') ? null : handle());
  valueOf(await updatePatient(rig.tablet, { id: 'p3', change: { notes: 'Calls first' }, known: null }));
  await rig.engine.run('online');
  rig.server.epoch = 'epoch-2';
  rig.server.changePatient({ id: 'p3', name: 'Ana Ruiz', phone: '600 333 444' });
  rig.server.rule = (_call, handle) => handle();
  await rig.newEngine().run('online');
  expect(await rig.tablet.db.patients.get('p3')).toMatchObject({ name: 'Ana Ruiz', phone: '600 333 444' });
  expect(await rig.tablet.db.patients.get('p3')).not.toHaveProperty('base');
});

test.each([
  ['lost', lost, 'offline'],
  ['refused as unauthorised', error(401, 'SESSION_EXPIRED'), 'paused'],
])('SYNC-6 a call for patients that is %s waits for its time', async (_how, trouble, link) => {
  rig.server.rule = (call, handle) => (call.path.startsWith('/sync/patients') ? trouble(call, handle) : handle());
  await rig.engine.run('signed-in');
  expect(await rig.store.position()).toMatchObject({ link, patients_after: '' });
  expect(await findPatients(rig.tablet.db, { text: 'ana', limit: 5 })).toEqual([]);
  rig.server.rule = (_call, handle) => handle();
  await rig.engine.run('signed-in');
  expect(await stored()).toEqual(ids);
});
