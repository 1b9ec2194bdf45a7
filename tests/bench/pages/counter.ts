/** Runs the app's commands and sync engine in an empty page: the commands fill the outbox, and the engine sends it. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import type { Result } from '#domain/result.ts';
import en from '#locales/en.json';
import type { CommandContext } from '#src/db/commands/context.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import type { PlannedService } from '#src/db/commands/treatments.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import { browserPorts } from '#src/db/ports.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { waitingCount } from '#src/db/queries/outbox.ts';
import type { ActorKey } from '#src/db/proof.ts';
import type { SignedIn } from '#src/auth/sign-in.ts';
import { saveDevice } from '#src/db/singletons.ts';
import { mirrorSession } from '#src/session/mirror.ts';
import { readToken } from '#src/session/token.ts';
import { createBrowserEngine } from '#sw/sync/browser-engine.ts';
import { actorKeyIn } from '#tests/support/proofs.ts';

export const db = new ClinicDatabase();

/** Writes as the worker does, which does not wait for the disk. */
const relaxed = new ClinicDatabase(undefined, { chromeTransactionDurability: 'relaxed' });
const engine = createBrowserEngine(relaxed, { host: 'page' });

let actorKey: ActorKey | null = null;

/** Signs in, enrols this browser as a device and loads the catalogue. @returns the session's token */
export async function open(): Promise<string> {
  const { accessToken } = await post<SignedIn>('/users/login', {
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

/** Signs from now on as the person who has signed in to the app in this browser. */
export function signAs(owner: Omit<ActorKey, 'bytes'>, bytes: number[]): void {
  actorKey = { ...owner, bytes: Uint8Array.from(bytes) };
}

async function post<T>(path: string, body: unknown, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const reply = await fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await reply.json()) as { data: T }).data;
}

/** Returns the context of commands. @param now the device's clock */
export async function commandContext(now = () => Date.now(), database = db): Promise<CommandContext> {
  const { user } = (await db.session.get('this'))!;
  return {
    db: database,
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
 * Sells without sending, and without waiting for the disk, because the making of the sales is not measured. Each sale is
 * three operations: the treatment, its payment with the invoice, and the invoice's fiscal record.
 *
 * @param spanMs time until now over which the sales are spread, by the device's clock
 */
export async function queueSales(sales: number, spanMs = 0): Promise<void> {
  const planOf = await plans();
  const began = Date.now() - spanMs;
  for (let sale = 0; sale < sales; sale++) {
    const context = await commandContext(() => began + (sale / sales) * spanMs, relaxed);
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

/** Sends all waiting operations. @returns milliseconds until the feed has returned their effects */
export async function drain(): Promise<number> {
  const started = performance.now();
  await engine.run('asked');
  const ms = performance.now() - started;
  const left = await db.operation_states.filter(({ status }) => status !== 'settled').count();
  if (left > 0) throw new Error(`${left} operations are not settled.`);
  return ms;
}

/** Waits until the worker has sent everything. @returns milliseconds since the call */
export async function untilSent(): Promise<number> {
  const started = performance.now();
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  return performance.now() - started;
}
