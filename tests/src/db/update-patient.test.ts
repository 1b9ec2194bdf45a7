import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UpdatePatientPayload } from '#domain/patient/operations.ts';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { updatePatient } from '#src/db/commands/patients.ts';
import type { PatientChange } from '#src/db/commands/patients.ts';
import { transition } from '#src/db/operation-state.ts';
import { findPatients } from '#src/db/queries/patients.ts';
import { rebaseAggregates } from '#src/db/rebase.ts';
import { detailsRow, patientRow } from '#src/db/rows.ts';
import { openTablet, refusalOf, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => void (tablet = await openTablet()));
afterEach(() => tablet.close());

const id = '019e1ba1-0d00-7000-8000-000000000001';
const aggregate = `patient:${id}`;
const recipient = { name: 'Ana', tax_id: '12345678Z', address: 'Sol 2', postal_code: '28013', city: 'Madrid' };
const ana = { id, name: 'Ana Ruiz', phone: '600' };

const update = (change: PatientChange, known: FullPatientResource | null = null) =>
  updatePatient(tablet, { id, change, known });
const shown = async () => {
  const [patient, details] = await Promise.all([tablet.db.patients.get(id), tablet.db.patient_details.get(id)]);
  return { ...patient, ...details };
};
const found = async (text: string, inDetails = true) =>
  (await findPatients(tablet.db, { text, limit: 5, inDetails })).map((row) => row.id);
const operations = async () => {
  const all: AnyOperation[] = await tablet.db.operations.toArray();
  return all.map(({ payload, depends_on }) => ({ payload, depends_on }));
};
/** What the feed does with rows of the server. */
async function told(row: object, details?: object): Promise<void> {
  const { db } = tablet;
  await db.patients.put(patientRow({ ...ana, ...row }));
  if (details) await db.patient_details.put(detailsRow({ id, email: '', notes: '', recipient: null, ...details }));
  await rebase();
}
const rebase = () =>
  tablet.db.transaction('rw', tablet.db.tables, async () => rebaseAggregates(tablet.db, [aggregate]));

describe('an update of a patient', () => {
  test('says only what changes, shows at once, and is found at once by those who may', async () => {
    await told({});
    valueOf(await update({ email: ' ana.ruiz@example.com ', recipient }));
    expect(await operations()).toEqual([
      {
        payload: {
          patient: { patient_id: id, name: 'Ana Ruiz', known: true },
          email: 'ana.ruiz@example.com',
          recipient,
        },
        depends_on: [],
      },
    ]);
    expect(await shown()).toMatchObject({ name: 'Ana Ruiz', phone: '600', email: 'ana.ruiz@example.com', recipient });
    for (const text of ['ana.ruiz@ex', '12345678', '600', 'ruiz']) expect(await found(text), text).toEqual([id]);
    for (const text of ['ana.ruiz@ex', '12345678']) expect(await found(text, false), text).toEqual([]);
  });

  test('stays over newer rows of the server, and depends on the one before', async () => {
    await told({}, { notes: 'Old note' });
    valueOf(await update({ phone: '611' }));
    valueOf(await update({ notes: 'Calls first' }));
    await told({ name: 'Ana Ruiz Gil', phone: '622' }, { notes: 'Other tablet', email: 'a@b.es' });
    expect(await shown()).toMatchObject({
      name: 'Ana Ruiz Gil',
      phone: '611',
      notes: 'Calls first',
      email: 'a@b.es',
      unsent: 1,
    });
    const [first, second] = await tablet.db.operations.toArray();
    expect(second!.depends_on).toEqual([first!.op_id]);
  });

  test.each(['refuse', 'settle'] as const)(
    'leaves the server’s rows once it is no longer replayed (%s)',
    async (event) => {
      await told({}, { notes: 'Old note' });
      valueOf(await update({ name: 'Anna', notes: 'Mine', email: 'a@b.es' }));
      const [state] = await tablet.db.operation_states.toArray();
      await tablet.db.operation_states.put(transition(state as never, event, 1));
      await rebase();
      const row = await shown();
      expect(row).toEqual({
        ...ana,
        email: '',
        notes: 'Old note',
        recipient: null,
        keys: expect.any(Array),
      });
      expect([await found('anna'), await found('a@b')]).toEqual([[], []]);
    },
  );

  test('of a new patient creates it, and refused leaves nothing', async () => {
    valueOf(await update({ name: 'Luz Vega', email: 'luz@example.com' }));
    expect(await operations()).toMatchObject([{ payload: { patient: { patient_id: id, name: 'Luz Vega' } } }]);
    expect((await operations())[0]!.payload).not.toHaveProperty('patient.known');
    expect(await found('luz')).toEqual([id]);
    const [state] = await tablet.db.operation_states.toArray();
    await tablet.db.operation_states.put(transition(state as never, 'refuse', 1));
    await rebase();
    expect([await tablet.db.patients.count(), await tablet.db.patient_details.count()]).toEqual([0, 0]);
    expect(refusalOf(await update({ email: 'nobody@example.com' }))).toBe('PATIENT_NOT_FOUND');
  });

  test('of a patient whom only the server has begins with what the server said', async () => {
    const known = { ...ana, email: 'a@b.es', notes: 'Kept', recipient };
    valueOf(await update({ email: '' }, known));
    expect(await shown()).toMatchObject({ name: 'Ana Ruiz', phone: '600', email: '', notes: 'Kept', recipient });
  });

  test('of an erased patient is refused, and what cannot be stored is left out', async () => {
    await told({ name: '', phone: '', erased_at: '2026-05-12T10:00:00Z' });
    expect(refusalOf(await update({ notes: 'x' }))).toBe('PATIENT_ERASED');
    await told({});
    valueOf(await update({ notes: `a\0${'x'.repeat(3000)}`, recipient: { ...recipient, city: 'y'.repeat(300) } }));
    const { notes, recipient: stored } = (await operations())[0]!.payload as UpdatePatientPayload;
    expect([notes!.length, stored!.city.length]).toEqual([2000, 100]);
  });
});
