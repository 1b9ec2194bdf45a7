import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addServices, createTreatment } from '#src/db/commands/treatments.ts';
import type { PlannedPatient } from '#src/db/commands/patients.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { arePatientsPartial, findPatients, localTreatments, recentPatients } from '#src/db/queries/patients.ts';
import { patientRow } from '#src/db/rows.ts';
import { syncRow } from '#src/db/singletons.ts';
import { wipePersonal } from '#src/auth/sign-out.ts';
import { openTablet, refusalOf, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => void (tablet = await openTablet()));
afterEach(() => tablet.close());

const services = [{ itemKey: 's1', quantity: 1 }];
const treat = (patient: PlannedPatient, itemKey = 's1') =>
  createTreatment(tablet, {
    orderType: 'walk_in',
    customerName: 'typed before',
    services: [{ itemKey, quantity: 1 }],
    patient,
  });
const found = async (text: string, limit = 20) => (await findPatients(tablet.db, { text, limit })).map(({ id }) => id);
const nuria: PlannedPatient = { id: 'p1', name: ' Núria Peña ', phone: '+34 612 480 157', isKnown: false };

describe('a patient made offline', () => {
  test('is sent with the treatment, fills its customer name, and can be found on the device', async () => {
    const { orderId } = valueOf(await treat(nuria));
    const [operation] = await tablet.db.operations.toArray();
    expect(operation!.payload).toMatchObject({
      customer_name: 'Núria Peña',
      patient: { patient_id: 'p1', name: 'Núria Peña', phone: '+34 612 480 157' },
    });
    expect(operation!.payload).not.toHaveProperty('patient.known');
    expect(await orderById(tablet.db, orderId)).toMatchObject({ customerName: 'Núria Peña', patientId: 'p1' });
    for (const text of ['nuria', 'PEN', '480']) expect(await found(text)).toEqual(['p1']);
  });

  test('is not created by a refused treatment', async () => {
    expect(refusalOf(await treat(nuria, 's3'))).toBe('ITEM_UNAVAILABLE');
    expect(await tablet.db.patients.count()).toBe(0);
  });

  test('does not change when it is known and sent again, and is found only by the new name after a correction', async () => {
    await tablet.db.patients.put(patientRow({ id: 'p1', name: 'Nuria Pena', phone: '612' }));
    valueOf(await treat({ id: 'p1', name: 'Nuria Pena', phone: '612', isKnown: true }));
    expect((await tablet.db.operations.toArray())[0]!.payload).toMatchObject({
      patient: { name: 'Nuria Pena', phone: '612', known: true },
    });
    expect(await tablet.db.patients.get('p1')).not.toHaveProperty('unsent');
    valueOf(await treat({ id: 'p1', name: 'Nuria Prieto', phone: '', isKnown: false }));
    expect([await found('pena'), await found('612'), await found('prieto')]).toEqual([[], [], ['p1']]);
  });

  test('does not prevent a sale when the name is too long or cannot be stored', async () => {
    valueOf(await treat({ ...nuria, name: `${'x'.repeat(199)}😀`, phone: '1'.repeat(60) }));
    const [operation] = await tablet.db.operations.toArray();
    expect(operation!.payload).toMatchObject({ patient: { name: 'x'.repeat(199), phone: '1'.repeat(40) } });
    const { orderId } = valueOf(await treat({ ...nuria, name: '\0' }));
    expect(await orderById(tablet.db, orderId)).toMatchObject({ customerName: 'typed before', patientId: null });
  });
});

describe('the search for patients', () => {
  beforeEach(async () => {
    const names = ['Marta Gil', 'Marcos Gil', 'María Gil Marín', 'Gil Martos', 'Ana Gómez'];
    await tablet.db.patients.bulkPut(
      names.map((name, index) => patientRow({ id: name, name, phone: `600 00${index} 987` })),
    );
  });
  test('requires every word, in any order, and returns each patient once', async () => {
    expect((await found('mar gil')).sort()).toEqual(['Gil Martos', 'Marcos Gil', 'Marta Gil', 'María Gil Marín']);
    expect(await found('gil mari')).toEqual(['María Gil Marín']);
    expect(await found('MARIN')).toEqual(['María Gil Marín']);
    expect((await found('mar')).length).toBe(4);
  });
  test('finds digits of the phone number, and returns nothing for an empty text', async () => {
    expect(await found('600 003')).toEqual(['Gil Martos']);
    expect((await found('987')).length).toBe(0);
    expect((await found('0987')).length).toBe(1);
    for (const text of ['', '  ', '-', 'x']) expect(await found(text)).toEqual([]);
  });
  test('returns at most the requested number', async () => {
    expect((await found('g', 2)).length).toBe(2);
    await tablet.db.patients.bulkPut(
      Array.from({ length: 60 }, (_, index) => patientRow({ id: `n${index}`, name: 'Nadie', phone: '666 666 666' })),
    );
    expect((await found('6')).length).toBe(20);
    expect((await found('nad')).length).toBe(20);
  });
  test('finds the one patient of two words of which many share one', async () => {
    const names = [...Array.from({ length: 60 }, () => 'Nadie'), 'Nadie Zorita'];
    await tablet.db.patients.bulkPut(
      names.map((name, index) => patientRow({ id: `n${100 + index}`, name, phone: '' })),
    );
    expect(await found('nadie zorita', 1)).toEqual(['n160']);
  });
});

test('the history contains the treatments of this device, the latest first, and marks the unsent ones', async () => {
  for (const hour of [1, 2]) {
    tablet.clock.now += hour * 3_600_000;
    valueOf(await treat({ ...nuria, isKnown: hour > 1 }));
  }
  const { orderId } = valueOf(await createTreatment(tablet, { orderType: 'walk_in', services }));
  const history = await localTreatments(tablet.db, 'p1', { limit: 10 });
  expect(history.map(({ number, unsent, services: names }) => [number, unsent, names])).toEqual([
    ['T-A7-000002', true, ['Service 1']],
    ['T-A7-000001', true, ['Service 1']],
  ]);
  expect(history.map(({ id }) => id)).not.toContain(orderId);
  valueOf(await addServices(tablet, { orderId: history[1]!.id, services }));
  expect((await localTreatments(tablet.db, 'p1', { limit: 10 }))[1]).toMatchObject({
    total: 20,
    services: ['Service 1', 'Service 1'],
  });
});

test('recent patients are those of the latest treatments, the last one first, each once and none that is erased', async () => {
  for (const id of ['p1', 'p2', 'p3', 'p1']) {
    tablet.clock.now += 3_600_000;
    const isKnown = (await tablet.db.patients.get(id)) !== undefined;
    valueOf(await treat({ id, name: `Patient ${id}`, phone: '', isKnown }));
  }
  const recent = async (limit: number) => (await recentPatients(tablet.db, { limit })).map(({ id }) => id);
  expect(await recent(10)).toEqual(['p1', 'p3', 'p2']);
  expect(await recent(2)).toEqual(['p1', 'p3']);
  await tablet.db.patients.update('p3', { erased_at: '2026-03-01T10:00:00.000Z' });
  expect(await recent(10)).toEqual(['p1', 'p2']);
});

test('a search may miss patients until the first ones have all arrived', async () => {
  const read = async (cursor: string | null, patients_after: string | null) => {
    await tablet.db.sync.put({ ...(await syncRow(tablet.db)), cursor, patients_after });
    return arePatientsPartial(tablet.db);
  };
  expect([await read(null, null), await read('c1', ''), await read('c1', null)]).toEqual([true, true, false]);
});

test('signing out deletes patients, and keeps the unsent treatment', async () => {
  valueOf(await treat(nuria));
  await tablet.db.patients.put(patientRow({ id: 'p2', name: 'Ana', phone: '' }));
  await wipePersonal(tablet.db, 'ana@clinic.test');
  expect(await tablet.db.patients.count()).toBe(0);
  expect(await tablet.db.operations.count()).toBe(1);
});
