/** A tablet, a server and an engine between them, on one virtual clock. */
import { createTreatment } from '#src/db/commands/treatments.ts';
import type { OperationState } from '#src/db/database.ts';
import { createSyncEngine } from '#sw/sync/engine.ts';
import type { SyncEngine, SyncEngineParts } from '#sw/sync/engine.ts';
import { createSyncStore } from '#sw/sync/store.ts';
import type { SyncStore } from '#sw/sync/store.ts';
import type { Clock, Lock } from '#sw/sync/ports.ts';
import { isChain } from '#src/db/operation-state.ts';
import { openTablet, sell, valueOf } from '#tests/src/db/tablet.ts';
import type { OfflineTablet } from '#tests/src/db/tablet.ts';
import { ClinicServer, stockResource } from './clinic-server.ts';

export interface Rig {
  tablet: OfflineTablet;
  server: ClinicServer;
  engine: SyncEngine;
  store: SyncStore;
  lock: Lock;
  /** Another engine on the same tablet, as after the worker was killed. */
  newEngine(parts?: Partial<SyncEngineParts>): SyncEngine;
  clock: Clock;
  /** Moves the clock and runs what the engine had put off until then. */
  pass(ms: number): Promise<void>;
  /** The errors of runs that no test awaited. */
  faults: unknown[];
  states(): Promise<OperationState[]>;
  /** The statuses of the operations that screens show: without fiscal records, which wait for nothing. */
  statuses(): Promise<string[]>;
  create(quantity?: number): Promise<string>;
  sell(quantity?: number): Promise<string>;
}

export async function openRig(): Promise<Rig> {
  const tablet = await openTablet();
  const server = new ClinicServer(tablet.clock);
  for (const id of [1, 2]) server.changeStock(stockResource(id));
  const user = {
    id: 7,
    name: 'Ana',
    email: 'a@b.c',
    phone: null,
    role: 'manager',
    status: 'active',
    created_at: '',
    updated_at: '',
  } as const;
  await tablet.db.session.put({ id: 'this', token: 'token', exp: 0, user });

  let naps: { atMs: number; wake: () => void }[] = [];
  const clock: Clock = {
    now: () => tablet.clock.now,
    after: (delayMs, wake) => {
      const nap = { atMs: tablet.clock.now + delayMs, wake };
      naps.push(nap);
      return () => {
        naps = naps.filter((other) => other !== nap);
      };
    },
  };
  let isHeld = false;
  const lock: Lock = async (work) => {
    if (isHeld) return false;
    isHeld = true;
    try {
      await work();
    } finally {
      isHeld = false;
    }
    return true;
  };
  const faults: unknown[] = [];
  const random = () => 0.5;
  const store = createSyncStore(tablet.db, random);
  const newEngine = (parts: Partial<SyncEngineParts> = {}) =>
    createSyncEngine({
      store,
      net: server.net,
      clock,
      random,
      lock,
      onFault: (error) => faults.push(error),
      ...parts,
    });
  const engine = newEngine();
  const states = () =>
    tablet.db.operation_states
      .orderBy('op_id')
      .toArray()
      .then((all) => all.sort((a, b) => a.device_seq - b.device_seq));
  return {
    tablet,
    server,
    engine,
    store,
    lock,
    newEngine,
    clock,
    pass: async (ms) => {
      tablet.clock.now += ms;
      const due = naps.filter(({ atMs }) => atMs <= tablet.clock.now);
      naps = naps.filter((nap) => !due.includes(nap));
      due.forEach(({ wake }) => wake());
      const known = (error: unknown) => {
        if (!faults.includes(error)) throw error;
      };
      if (due.length > 0) await engine.run('timer').catch(known);
    },
    faults,
    states,
    statuses: async () => (await states()).filter(({ aggregate }) => !isChain(aggregate)).map(({ status }) => status),
    create: async (quantity = 1) =>
      valueOf(await createTreatment(tablet, { orderType: 'walk_in', services: [{ itemKey: 's1', quantity }] })).orderId,
    sell: async (quantity = 1) => (await sell(tablet, { services: [{ itemKey: 's1', quantity }] })).orderId,
  };
}
