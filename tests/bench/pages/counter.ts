/** Runs the app's commands and sync engine in an empty page: the commands fill the outbox, and the engine sends it. */
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { DeviceReply } from '../../../domain/protocol/sync.ts';
import type { Result } from '../../../domain/result.ts';
import en from '../../../locales/en.json';
import type { CommandContext } from '../../../src/db/commands/context.ts';
import { takePayment } from '../../../src/db/commands/payments.ts';
import type { PlannedService } from '../../../src/db/commands/treatments.ts';
import { createTreatment } from '../../../src/db/commands/treatments.ts';
import { ClinicDatabase } from '../../../src/db/database.ts';
import { browserPorts } from '../../../src/db/ports.ts';
import { orderById } from '../../../src/db/queries/orders.ts';
import { waitingCount } from '../../../src/db/queries/outbox.ts';
import type { ActorKey } from '../../../src/db/proof.ts';
import { saveDevice } from '../../../src/db/singletons.ts';
import { mirrorSession } from '../../../src/session/mirror.ts';
import { readToken } from '../../../src/session/token.ts';
import { createSyncEngine } from '../../../sw/sync/engine.ts';
import { createSyncStore } from '../../../sw/sync/store.ts';
import type { SyncStore } from '../../../sw/sync/store.ts';
import { createNet } from '../../../sw/sync/transport.ts';
import { actorKeyIn } from '../../support/proofs.ts';

export const db = new ClinicDatabase();

/** Milliseconds that the engine has spent on each step since the drain began. */
const spent = new Map<string, number>();
let recordedAt = 0;

async function timing<T>(part: string, work: Promise<T>): Promise<T> {
  const started = performance.now();
  const value = await work;
  spent.set(part, (spent.get(part) ?? 0) + performance.now() - started);
  return value;
}

/** Returns the store with its slow steps timed. */
function watched(store: SyncStore): SyncStore {
  return {
    ...store,
    selectBatch: (choice) => timing('take', store.selectBatch(choice)),
    recordResults: async (results, contact) => {
      await timing('record', store.recordResults(results, contact));
      recordedAt = performance.now();
    },
    applyFeed: (pull) => timing('apply feed', store.applyFeed(pull)),
  };
}

const net = createNet((input, init) => fetch(input, init));

const engine = createSyncEngine({
  store: watched(createSyncStore(db, Math.random)),
  net: (call) => timing(call.path.split('?', 1)[0]!, net(call)),
  clock: { now: () => Date.now(), after: () => () => undefined },
  random: Math.random,
  lock: (work) => navigator.locks.request('bench', async () => work().then(() => true)),
  onFault: reportError,
});

let actorKey: ActorKey | null = null;

/** Signs in, enrols this browser as a device and loads the catalogue. @returns the session's token */
export async function open(): Promise<string> {
  const { accessToken } = await post<{ accessToken: string }>('/users/login', {
    email: 'counter@demo.test',
    password: 'demo-counter',
  });
  const device = await post<DeviceReply>('/devices', {}, accessToken);
  await saveDevice(db, device);
  actorKey = actorKeyIn(device);
  const { user, exp } = readToken(accessToken)!;
  await mirrorSession(db, { user, exp, token: device.sync_token });
  await engine.run('signed-in');
  return accessToken;
}

async function post<T>(path: string, body: unknown, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const reply = await fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await reply.json()) as { data: T }).data;
}

/** Returns the context of commands. @param now the device's clock */
export async function commandContext(now = () => Date.now()): Promise<CommandContext> {
  const { user } = (await db.session.get('this'))!;
  return {
    db,
    ports: { ...browserPorts, now },
    actorId: user.id,
    actorKey: () => Promise.resolve(actorKey),
    // The benchmarks decide when to send.
    onWritten: () => undefined,
    print: { language: 'en', labels: { ...en.print.labels, methods: en.counter.methods }, cashierName: user.name },
  };
}

/** Returns the services of the n-th sale: one to three, the same in every browser. */
export async function plans(): Promise<(sale: number) => PlannedService[]> {
  const keys = (await db.catalogue.toArray())
    .filter(({ available }) => available === 1)
    .map(({ key }) => key)
    .sort();
  return (sale) =>
    Array.from({ length: 1 + (sale % 3) }, (_, line) => ({
      itemKey: keys[(sale * 7 + line * 3) % keys.length]!,
      quantity: 1 + ((sale + line) % 2),
    }));
}

/**
 * Sells without sending. Each sale is two operations: the treatment, and its payment with the invoice.
 *
 * @param spanMs time until now over which the sales are spread, by the device's clock
 */
export async function queueSales(sales: number, spanMs = 0): Promise<void> {
  const planOf = await plans();
  const began = Date.now() - spanMs;
  for (let sale = 0; sale < sales; sale++) {
    const context = await commandContext(() => began + (sale / sales) * spanMs);
    const { orderId } = done(
      await createTreatment(context, { orderType: 'walk_in', customerName: `Patient ${sale}`, services: planOf(sale) }),
    );
    done(
      await takePayment(context, {
        orderId,
        method: 'cash',
        tenderedMinor: (await orderById(db, orderId))!.balanceMinor,
      }),
    );
  }
}

/** Returns the value of a command's result. @throws if the command was refused */
export function done<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.value;
}

export function queued(): Promise<AnyOperation[]> {
  return db.operations.toArray().then((operations) => operations.toSorted((a, b) => a.device_seq - b.device_seq));
}

/** Returns the number of operations that the server has not confirmed. */
export const waiting = (): Promise<number> => waitingCount(db);

export interface Drained {
  /** Time until the server has confirmed all operations. */
  acceptedMs: number;
  /** Time until the feed has also returned their effects. */
  settledMs: number;
  /** Milliseconds by step. */
  spent: Record<string, number>;
}

/** Sends all waiting operations. */
export async function drain(): Promise<Drained> {
  spent.clear();
  const started = performance.now();
  await engine.run('asked');
  const settledMs = performance.now() - started;
  const left = await db.operation_states.filter(({ status }) => status !== 'settled').count();
  if (left > 0) throw new Error(`${left} operations are not settled.`);
  return { acceptedMs: recordedAt - started, settledMs, spent: Object.fromEntries(spent) };
}
