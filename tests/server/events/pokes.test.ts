import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { listenTo } from '#server/events/listener.ts';
import type { Listener } from '#server/events/listener.ts';
import { changeChannel, Pokes, publishChange, readChange } from '#server/events/pokes.ts';
import { freshDatabase } from '#tests/support/database.ts';
import type { FreshDatabase } from '#tests/support/database.ts';

const clinicId = 1;
let fresh: FreshDatabase;
let database: Database;
const pokes = new Pokes();
let listener: Listener;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.connectionString);
  await new Promise<void>((resolve) => {
    const announce = (payload: string) => pokes.announce(readChange(payload));
    listener = listenTo(database.$client, { [changeChannel]: announce }, resolve);
  });
});
afterAll(async () => {
  await listener.close();
  await database.$client.end();
  await fresh.drop();
});

interface Crowd {
  /** The pokes in order: tablet and time. */
  told: { name: number; atMs: number }[];
  leave: () => void;
}

function crowd(size: number, of = clinicId): Crowd {
  const told: Crowd['told'] = [];
  const leaving = Array.from({ length: size }, (_, name) =>
    pokes.subscribe(of, () => told.push({ name, atMs: performance.now() })),
  );
  return { told, leave: () => leaving.forEach((leave) => leave()) };
}

const namesOf = ({ told }: Crowd) => told.map(({ name }) => name);

test('SYNC-9 pokes the tablets of one clinic one after another', async () => {
  const [ours, others] = [crowd(5), crowd(5, clinicId + 1)];
  publishChange(database.$client, clinicId);
  await expect.poll(() => namesOf(ours)).toEqual([0, 1, 2, 3, 4]);
  const gaps = ours.told.slice(1).map(({ atMs }, index) => atMs - ours.told[index]!.atMs);
  expect(Math.min(...gaps)).toBeGreaterThan(10);
  expect(others.told).toEqual([]);
  ours.leave();
  others.leave();
});

test('SYNC-9 pokes each tablet once for all changes since its last turn', async () => {
  const tablets = crowd(20);
  publishChange(database.$client, clinicId);
  await expect.poll(() => tablets.told.length).toBeGreaterThan(0);
  // All notifications arrive long before every tablet has had its turn.
  for (let change = 0; change < 3; change++) {
    publishChange(database.$client, clinicId);
    await sleep(70);
  }
  const last = () =>
    namesOf(tablets)
      .slice(-20)
      .toSorted((a, b) => a - b);
  await expect.poll(last).toEqual(Array.from({ length: 20 }, (_, name) => name));
  await sleep(100);
  expect(tablets.told.length).toBeGreaterThan(20);
  expect(tablets.told.length).toBeLessThan(60);
  tablets.leave();
});

test('SYNC-9 a clinic waits for its own tablets only: a thousand tablets of another do not delay its poke', async () => {
  const [many, few] = [crowd(1000), crowd(3, clinicId + 1)];
  pokes.announce({ clinicId });
  await expect.poll(() => many.told.length, { interval: 5 }).toBeGreaterThan(2);
  pokes.announce({ clinicId: clinicId + 1 });
  const before = many.told.length;
  await expect.poll(() => few.told.length, { interval: 1 }).toBe(3);
  const { atMs } = few.told.at(-1)!;
  const meanwhile = many.told.filter((poke) => poke.atMs < atMs).length - before;
  console.info(`Pokes of the large clinic before the small one had its three: ${meanwhile} of 1000.`);
  expect(meanwhile).toBeLessThan(6);
  few.leave();
  many.leave();
});

test('SYNC-9 a clinic that has rested is poked at once, in the middle of the pokes of another', async () => {
  const [many, one] = [crowd(50), crowd(1, clinicId + 1)];
  pokes.announce({ clinicId });
  for (let change = 1; change <= 5; change++) {
    await sleep(31);
    pokes.announce({ clinicId: clinicId + 1 });
    expect(one.told).toHaveLength(change);
  }
  expect(many.told.length).toBeLessThan(50);
  one.leave();
  many.leave();
});

test('SYNC-9 other work has its turn while many clinics are poked at once', async () => {
  const clinics = Array.from({ length: 200 }, (_, index) => crowd(1, 100 + index));
  const pokedAt: number[] = [];
  const told = () => clinics.reduce((sum, { told: list }) => sum + list.length, 0);
  const watch = (): void => {
    pokedAt.push(told());
    if (told() < clinics.length) setImmediate(watch);
  };
  for (const [index] of clinics.entries()) pokes.announce({ clinicId: 100 + index });
  watch();
  await expect.poll(told, { interval: 1 }).toBe(200);
  const steps = pokedAt.map((count, index) => count - (pokedAt[index - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(40);
  for (const { leave } of clinics) leave();
});

test('SYNC-9 does not poke a tablet that unsubscribed before its turn', async () => {
  const tablets = crowd(5);
  publishChange(database.$client, clinicId);
  await expect.poll(() => tablets.told.length).toBeGreaterThan(0);
  tablets.leave();
  const { length } = tablets.told;
  await sleep(150);
  expect(tablets.told).toHaveLength(length);
});

test('SYNC-9 does not poke the device that has the change already, unless another one changed something too', async () => {
  const told: string[] = [];
  const leaving = [1, 2].map((device) => pokes.subscribe(clinicId, () => told.push(`device ${device}`), device));
  const toldAfter = async (...informed: (number | null)[]) => {
    told.length = 0;
    for (const device of informed) publishChange(database.$client, clinicId, device);
    await expect.poll(() => told.length).toBeGreaterThan(0);
    await sleep(150);
    return told.toSorted();
  };
  expect(await toldAfter(1)).toEqual(['device 2']);
  expect(await toldAfter(1, 1)).toEqual(['device 2']);
  expect(await toldAfter(1, 2)).toEqual(['device 1', 'device 2']);
  expect(await toldAfter(1, 2, 1)).toEqual(['device 1', 'device 2']);
  expect(await toldAfter(1, null)).toEqual(['device 1', 'device 2']);
  leaving.forEach((leave) => leave());
});
