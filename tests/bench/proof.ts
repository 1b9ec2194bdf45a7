/**
 * Measures the cost of proofs (SYNC-8): of a sale at the counter at a quarter of the CPU speed, and of a full batch on
 * the server. Both arms run in turns, so that other load on the machine affects both alike.
 */
import { Pool } from 'pg';
import { batchSchema } from '#domain/protocol/operation-schemas.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { operationModules } from '#server/modules.ts';
import { applyOperations } from '#server/operations/apply.ts';
import { parseOperation } from '#server/operations/incoming.ts';
import { proofVerifier } from '#server/operations/proof.ts';
import { OperationRegistry } from '#server/operations/registry.ts';
import { loadClinic } from '#server/operations/store.ts';
import { PageCpu, withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import type { Goal } from './goals.ts';
import { HeadlessTablet, operationsOfSale } from './headless-tablet.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import { startTestbed } from './sync/testbed.ts';

const salesPerBatch = 50;
const throttle = 4;
const clinicId = 1;

export async function benchProof({ short }: Form): Promise<Figure[]> {
  return [await measureCommits(short ? 100 : 300), await measureBatches(short ? 25 : 60)];
}

async function measureCommits(sales: number): Promise<Figure> {
  const testbed = await startTestbed();
  try {
    const page = await testbed.page('clinic', 0);
    await callInPage(page, 'counter', 'open');
    await (await PageCpu.of(page)).throttle(throttle);
    const { signed, unsigned } = await callInPage(page, 'commit', 'measureProofs', sales);
    console.log(`\nA sale at the counter, CPU throttled ${throttle}×, with and without proofs in turns`);
    return ratioOf(goals.proof.sale, signed, unsigned);
  } finally {
    await testbed.end();
  }
}

function measureBatches(batches: number): Promise<Figure> {
  return withClinic(async ({ clinic, connectionString }) => {
    const pool = new Pool({ connectionString, max: 1 });
    try {
      const tablet = await HeadlessTablet.enrol(clinic.url);
      await tablet.pull(null);
      const times = { signed: [] as number[], unsigned: [] as number[] };
      for (let round = 0; round < batches; round++) {
        const operations = Array.from({ length: salesPerBatch }, (_, sale) => tablet.sale(sale)).flat();
        const arms = ['signed', 'unsigned'] as const;
        for (const arm of round % 2 === 0 ? arms : arms.toReversed())
          times[arm].push(await applyAndUndo(pool, operations, arm === 'signed'));
      }
      console.log(
        `\nA batch of ${salesPerBatch * operationsOfSale} operations on the server, with and without verification in turns`,
      );
      return ratioOf(goals.proof.batch, times.signed.slice(5), times.unsigned.slice(5));
    } finally {
      await pool.end();
    }
  });
}

/** Applies a batch as its route does, and rolls it back. @returns milliseconds */
async function applyAndUndo(pool: Pool, operations: AnyOperation[], verifies: boolean): Promise<number> {
  const registry = new OperationRegistry(operationModules);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const started = performance.now();
    const { settings, firstDayMs, actorKeySecret } = await loadClinic(client, clinicId);
    const verifier = verifies ? proofVerifier(actorKeySecret) : { proves: () => true, approves: () => true };
    const receivedAtMs = Date.now();
    const incoming = batchSchema
      .parse({ operations })
      .operations.map((raw) => parseOperation(registry, verifier, raw, receivedAtMs));
    const context = { clinicId, uploadedBy: operations[0]!.actor_id, receivedAtMs, settings, firstDayMs };
    const outcomes = await applyOperations(client, registry, context, incoming);
    const spent = performance.now() - started;
    const failed = outcomes.find(({ status }) => status !== 'applied');
    if (failed) throw new Error(failed.reply);
    return spent;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function ratioOf(goal: Goal, signed: readonly number[], unsigned: readonly number[]): Figure {
  printSummary('with proofs', summarise(signed));
  printSummary('without', summarise(unsigned));
  // Single turns differ by more than the proofs take, so the ratio is that of medians.
  return { goal, values: [summarise(signed).median / summarise(unsigned).median] };
}
