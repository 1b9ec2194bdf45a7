/** Measures the commit of a command at the counter against a bare transaction that writes the same rows. */
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { simplifiedLimitMinor } from '#domain/tax/document.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { clinicSettings } from '#src/db/singletons.ts';
import { commandContext, db, done, plans } from './counter.ts';
import { openRaw, writeRaw } from './limits.ts';
import type { Rows } from './limits.ts';

export interface CommitTimes {
  /** Milliseconds by turn; `raw` is the bare transaction. */
  command: number[];
  raw: number[];
}

const stores = ['orders', 'order_bases', 'documents', 'operations', 'operation_states', 'device'];

type Command = 'createTreatment' | 'takePayment';

/** Returns the rows that the last command has written. A payment does not write the base, which exists already. */
async function rowsOf(command: Command, orderId: string): Promise<Rows> {
  const aggregate = `order:${orderId}`;
  const all = await db.operations.toArray();
  const own = all.find(
    (one) => one.aggregate === aggregate && (one.kind === 'order.pay') === (command === 'takePayment'),
  )!;
  const records = all.filter(({ kind, payload }) => kind === 'fiscal.record' && payload.document_op_id === own.op_id);
  const operations = [own, ...records];
  const rows: Rows = {
    orders: [await db.orders.get(orderId)],
    order_bases: command === 'createTreatment' ? [await db.order_bases.get(orderId)] : [],
    documents: await db.documents.where('order_id').equals(orderId).toArray(),
    operations,
    operation_states: await db.operation_states.bulkGet(operations.map(({ op_id }) => op_id)),
    device: [await db.device.get('this')],
  };
  return Object.fromEntries(Object.entries(rows).filter(([, values]) => values.length > 0));
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}

/** Measures both in turns, so that other load on the machine affects them alike. The first turns are warm-up. */
export async function measureCommits(command: Command, turns: number): Promise<CommitTimes> {
  const raw = await openRaw(stores);
  const context = await commandContext();
  const planOf = await plans();
  const warmUp = 50;
  const times: CommitTimes = { command: [], raw: [] };
  let rows: Rows | null = null;
  for (let turn = 0; turn < turns + warmUp; turn++) {
    const created = await timed(() =>
      createTreatment(context, { orderType: 'walk_in', customerName: `Patient ${turn}`, services: planOf(turn) }),
    );
    const { orderId } = done(created.value);
    const { balanceMinor } = (await orderById(db, orderId))!;
    const paid =
      command === 'takePayment'
        ? await timed(() => takePayment(context, { orderId, method: 'cash', tenderedMinor: balanceMinor }))
        : null;
    if (paid) done(paid.value);
    // Every turn writes the same number of rows with the same fields, so they are read only once.
    rows ??= await rowsOf(command, orderId);
    const rawMs = await writeRaw(raw, rows);
    if (turn < warmUp) continue;
    times.command.push((paid ?? created).ms);
    times.raw.push(rawMs);
  }
  raw.close();
  return times;
}

const spain: Partial<ClinicSettings> = {
  tax_profile: 'ES',
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
  verifactu_since: '2026-01-01',
};

export type Rules = 'plain' | 'verifactu';

/** Makes this device issue by no tax profile, or by the Spanish one with VERI*FACTU. */
export async function issueBy(rules: Rules): Promise<void> {
  const changes = rules === 'verifactu' ? spain : { tax_profile: 'none' as const, verifactu_since: '' };
  const settings = { ...(await clinicSettings(db)), ...changes };
  await db.settings.put({ id: 'this', settings });
  await db.device.update('this', { tax_id: rules === 'verifactu' ? settings.tax_id : null });
}

/** Measures the commit of payments by both rules, in turns. The first turns are warm-up. @returns milliseconds by turn */
export async function measureFiscal(turns: number): Promise<Record<Rules, number[]>> {
  const context = await commandContext();
  const planOf = await plans();
  const warmUp = 20;
  const times: Record<Rules, number[]> = { plain: [], verifactu: [] };
  for (let turn = 0; turn < turns + warmUp; turn++) {
    const arms = ['plain', 'verifactu'] as const;
    for (const rules of turn % 2 === 0 ? arms : arms.toReversed()) {
      await issueBy(rules);
      const { orderId } = done(await createTreatment(context, { orderType: 'walk_in', services: planOf(turn) }));
      const { balanceMinor } = (await orderById(db, orderId))!;
      // By the Spanish rules its invoice waits for a recipient.
      if (balanceMinor > simplifiedLimitMinor) continue;
      const { ms, value } = await timed(() =>
        takePayment(context, { orderId, method: 'cash', tenderedMinor: balanceMinor }),
      );
      const isTaxed = done(value).document.invoice?.tax_totals !== undefined;
      if (isTaxed !== (rules === 'verifactu')) throw new Error('The device issues by the other rules.');
      if (turn >= warmUp) times[rules].push(ms);
    }
  }
  return times;
}

export interface ProofTimes {
  /** Milliseconds of a sale by turn: the treatment and its payment. */
  signed: number[];
  unsigned: number[];
}

/** Makes the same sales with and without proofs, in turns. The first turns are warm-up. */
export async function measureProofs(turns: number): Promise<ProofTimes> {
  const signing = await commandContext();
  const contexts = { signed: signing, unsigned: { ...signing, actorKey: () => Promise.resolve(null) } };
  const planOf = await plans();
  const warmUp = 20;
  const times: ProofTimes = { signed: [], unsigned: [] };
  for (let turn = 0; turn < turns + warmUp; turn++) {
    const arms = ['signed', 'unsigned'] as const;
    for (const arm of turn % 2 === 0 ? arms : arms.toReversed()) {
      const { ms } = await timed(async () => {
        const context = contexts[arm];
        const services = planOf(turn);
        const { orderId } = done(
          await createTreatment(context, { orderType: 'walk_in', customerName: `Patient ${turn}`, services }),
        );
        const { balanceMinor } = (await orderById(db, orderId))!;
        done(await takePayment(context, { orderId, method: 'cash', tenderedMinor: balanceMinor }));
      });
      if (turn >= warmUp) times[arm].push(ms);
    }
  }
  return times;
}
