import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTreatment } from '../../../src/db/commands/treatments.ts';
import { findPatients } from '../../../src/db/queries/patients.ts';
import { valueOf } from '../../src/db/tablet.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const found = async (text: string) =>
  (await findPatients(rig.tablet.db, { text, limit: 20 })).map(({ name, unsent }) => [name, unsent === 1]);
const meet = (id: string, name: string) =>
  createTreatment(rig.tablet, {
    orderType: 'walk_in',
    services: [{ itemKey: 's1', quantity: 1 }],
    patient: { id, name, phone: '', isKnown: false },
  });

test('SYNC-9 the feed delivers patients, and a later update replaces an earlier one', async () => {
  rig.server.changePatient({ id: 'p1', name: 'Ana Ruiz', phone: '600 111 222' });
  await rig.engine.run('timer');
  expect(await found('ruiz 600')).toEqual([['Ana Ruiz', false]]);
  rig.server.changePatient({ id: 'p1', name: 'Ana Rey', phone: '' });
  await rig.engine.run('timer');
  expect([await found('ruiz'), await found('600'), await found('rey')]).toEqual([[], [], [['Ana Rey', false]]]);
});

test('SYNC-7 an unsent patient survives starting over, and patients that the server does not return are deleted', async () => {
  rig.server.changePatient({ id: 'p1', name: 'Ana Ruiz', phone: '' });
  await rig.engine.run('timer');
  rig.server.refuses = () => 'VALIDATION';
  valueOf(await meet('p2', 'Eva Nueva'));
  await rig.engine.run('write');
  rig.server.restoreEmpty();
  await rig.engine.run('timer');
  expect([await found('ana'), await found('eva')]).toEqual([[], [['Eva Nueva', true]]]);
});

test('a patient created here equals the server’s row once the feed has delivered it', async () => {
  valueOf(await meet('p2', 'Eva Nueva'));
  expect(await found('nueva')).toEqual([['Eva Nueva', true]]);
  await rig.engine.run('write');
  expect(await found('nueva')).toEqual([['Eva Nueva', false]]);
});
