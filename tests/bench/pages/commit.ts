/** The commit at the counter beside the bare transaction that it cannot do without. */
import { createTreatment } from '../../../src/db/commands/treatments.ts';
import { sellNow } from '../../../src/db/commands/payments.ts';
import { commandContext, db, plans } from './counter.ts';
import { openRaw, writeRaw } from './limits.ts';
import type { Rows } from './limits.ts';

export interface CommitTimes {
  /** Milliseconds, one pair of figures per turn. */
  command: number[];
  raw: number[];
}

const stores = ['orders', 'order_bases', 'papers', 'operations', 'operation_states', 'device'];

/** The rows that the command before has written, as far as they belong to its treatment. */
async function rowsOf(orderId: string): Promise<Rows> {
  const aggregate = `order:${orderId}`;
  const operations = await db.operations.filter((operation) => operation.aggregate === aggregate).toArray();
  const rows: Rows = {
    orders: [await db.orders.get(orderId)],
    order_bases: [await db.order_bases.get(orderId)],
    papers: await db.papers.where('order_id').equals(orderId).toArray(),
    operations,
    operation_states: await db.operation_states.bulkGet(operations.map(({ op_id }) => op_id)),
    device: [await db.device.get('this')],
  };
  return Object.fromEntries(Object.entries(rows).filter(([, values]) => values.length > 0));
}

/** Takes turns, so that whatever else the machine does meets both alike. The first turns warm up and are not counted. */
export async function measureCommits(command: 'sellNow' | 'createTreatment', turns: number): Promise<CommitTimes> {
  const raw = await openRaw(stores);
  const context = await commandContext();
  const planOf = await plans();
  const warmUp = 50;
  const times: CommitTimes = { command: [], raw: [] };
  let rows: Rows | null = null;
  for (let turn = 0; turn < turns + warmUp; turn++) {
    const treatment = { orderType: 'walk_in' as const, customerName: `Patient ${turn}`, services: planOf(turn) };
    const started = performance.now();
    const done = command === 'sellNow' ? await sellNow(context, { ...treatment, method: 'cash' }) : await createTreatment(context, treatment);
    const commandMs = performance.now() - started;
    if (!done.ok) throw new Error(done.refusal.code);
    // Every turn writes rows of the same shape and number; reading them anew each time would only cost time.
    rows ??= await rowsOf(done.value.orderId);
    const rawMs = await writeRaw(raw, rows);
    if (turn < warmUp) continue;
    times.command.push(commandMs);
    times.raw.push(rawMs);
  }
  raw.close();
  return times;
}
