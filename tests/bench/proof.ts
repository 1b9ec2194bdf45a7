/**
 * Measures the cost of proofs (SYNC-8): of a sale at the counter at a quarter of the CPU speed, and of a full batch on
 * the server. Both arms run in turns, so that other load on the machine affects both alike.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { batchSchema } from '../../domain/protocol/operation-schemas.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { operationModules } from '../../server/modules.ts';
import { applyOperations } from '../../server/operations/apply.ts';
import { parseOperation } from '../../server/operations/incoming.ts';
import { proofVerifier } from '../../server/operations/proof.ts';
import { OperationRegistry } from '../../server/operations/registry.ts';
import { loadClinic } from '../../server/operations/store.ts';
import { ServerProcess } from '../support/server-process.ts';
import { HeadlessTablet } from './headless-tablet.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import { startTestbed } from './sync/testbed.ts';

const sales = 300;
const batches = 60;
const salesPerBatch = 50;
const throttle = 4;
const goal = 1.05;
const clinicId = 1;

export async function benchProof(): Promise<void> {
  await measureCommits();
  await measureBatches();
}

async function measureCommits(): Promise<void> {
  const testbed = await startTestbed();
  try {
    const page = await testbed.page('clinic', 0);
    await callInPage(page, 'counter', 'open');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const { signed, unsigned } = await callInPage(page, 'commit', 'measureProofs', sales);
    console.log(`\nA sale at the counter, CPU throttled ${throttle}×, with and without proofs in turns`);
    printRatio(signed, unsigned);
  } finally {
    await testbed.end();
  }
}

async function measureBatches(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  const pool = new Pool({ connectionString: postgres.connectionString, max: 1 });
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
    console.log(`\nA batch of ${salesPerBatch * 2} operations on the server, with and without verification in turns`);
    printRatio(times.signed.slice(5), times.unsigned.slice(5));
  } finally {
    await pool.end();
    await clinic.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
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

function printRatio(signed: readonly number[], unsigned: readonly number[]): void {
  const [withProof, without] = [summarise(signed), summarise(unsigned)];
  printSummary('with proofs', withProof);
  printSummary('without', without);
  const ratio = withProof.median / without.median;
  console.log(
    `${ratio <= goal ? 'reached' : 'MISSED '}  with / without: median ${ratio.toFixed(3)}, p95 ${(withProof.p95 / without.p95).toFixed(3)}, goal at most ${goal} at the median`,
  );
}
