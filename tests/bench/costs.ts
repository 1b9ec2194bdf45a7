/**
 * Measures what protects a clinic, and what the law asks for, on the server: row-level security on a batch and on a pull, and
 * VERI*FACTU on a batch of whole sales. Both arms run by turns, so that other load on the machine affects both alike. An arm
 * without row-level security works as the owner of the tables, whom the policies do not bind.
 */
import type { Pool } from 'pg';
import { batchSchema } from '#domain/protocol/operation-schemas.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Session } from '#server/context.ts';
import { acrossClinics, openDatabase, withinClinic } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { operationModules } from '#server/modules.ts';
import { pullFrom } from '#server/modules/feed/service.ts';
import { applyOperations } from '#server/operations/apply.ts';
import { parseOperation } from '#server/operations/incoming.ts';
import { proofVerifier } from '#server/operations/proof.ts';
import { OperationRegistry } from '#server/operations/registry.ts';
import { loadClinic } from '#server/operations/store.ts';
import type { Ports } from '#server/ports.ts';
import { overHttp } from '../failover/http-tablet.ts';
import { TestDevice } from '../support/device.ts';
import { FiscalTill, issuerSettings } from '../support/fiscal-till.ts';
import { withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import type { Goal } from './goals.ts';
import { HeadlessTablet, operationsOfSale } from './headless-tablet.ts';
import { printSummary, summarise } from './statistics.ts';

const salesPerBatch = 50;
const clinicId = 1;
const warmUp = 5;
const registry = new OperationRegistry(operationModules);

export function benchCosts({ short }: Form): Promise<Figure[]> {
  const rounds = (short ? 25 : 60) + warmUp;
  return withClinic(async ({ clinic, connectionString }) => {
    const [one, other] = [openDatabase(connectionString), openDatabase(connectionString)];
    try {
      // Prepared statements belong to a connection, so each arm has its own.
      const [walled, bare] = [withinClinic(one, clinicId), acrossClinics(other)];
      const tablet = await HeadlessTablet.enrol(clinic.url);
      const { cursor } = await tablet.pull(null);
      const batch = await byTurns(rounds, {
        with: (sales) => applyAndUndo(walled, sales),
        without: (sales) => applyAndUndo(bare, sales),
        of: () => Array.from({ length: salesPerBatch }, (_, sale) => tablet.sale(sale)).flat(),
      });
      await tablet.send(tablet.sale(0));
      const { userId, info } = await TestDevice.enrol(overHttp(clinic.url), 'manager');
      const reader = { clinicId, userId, deviceId: info.device_id, role: 'manager', scope: 'full' } as Session;
      const ownersOnly = { $client: { within: () => bare } } as unknown as Database;
      const pulls = { with: pullFrom(portsOver(one)), without: pullFrom(portsOver(ownersOnly)) };
      const pull = await byTurns(rounds * 10, {
        with: () => timed(() => pulls.with(reader, { cursor }, { isChanged: true })),
        without: () => timed(() => pulls.without(reader, { cursor }, { isChanged: true })),
        of: () => null,
      });
      const till = new FiscalTill(await TestDevice.enrol(overHttp(clinic.url), 'counter'));
      const fiscal = await byTurns(rounds, {
        with: (sales) => applyAndUndo(walled, sales, { ...issuerSettings, verifactu_since: '2026-01-01' }),
        without: (sales) => applyAndUndo(walled, sales, issuerSettings),
        of: () => till.device.signed(wholeSales(till)),
      });
      console.log(`\nOn the server, by turns; a batch has ${salesPerBatch * operationsOfSale} operations`);
      return [
        ratioOf(goals.costs.batch, batch, 'batch, row-level security'),
        ratioOf(goals.costs.pull, pull, 'pull, row-level security'),
        ratioOf(goals.costs.fiscal, fiscal, 'batch, VERI*FACTU'),
      ];
    } finally {
      await Promise.all([one.$client.end(), other.$client.end()]);
    }
  });
}

const portsOver = (database: Database): Ports => ({ database, clock: Date.now }) as unknown as Ports;

const wholeSales = (till: FiscalTill): AnyOperation[] =>
  Array.from({ length: salesPerBatch }, () => till.sale()).flatMap(({ created, paid, recorded }) => [
    created,
    paid,
    recorded,
  ]);

interface Arms<T> {
  /** Each returns milliseconds. */
  with: (of: T) => Promise<number>;
  without: (of: T) => Promise<number>;
  of: () => T;
}

interface Times {
  with: number[];
  without: number[];
}

async function byTurns<T>(rounds: number, arms: Arms<T>): Promise<Times> {
  const times: Times = { with: [], without: [] };
  for (let round = 0; round < rounds; round++) {
    const of = arms.of();
    for (const arm of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      times[arm].push(await arms[arm](of));
  }
  return { with: times.with.slice(warmUp), without: times.without.slice(warmUp) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Applies a batch as its route does, and rolls it back. @returns milliseconds */
async function applyAndUndo(
  pool: Pool,
  operations: AnyOperation[],
  changed: Partial<ClinicSettings> = {},
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const started = performance.now();
    const { settings, firstDayMs, actorKeySecret } = await loadClinic(client, clinicId);
    const receivedAtMs = Date.now();
    const verifier = proofVerifier(actorKeySecret);
    const incoming = batchSchema
      .parse({ operations })
      .operations.map((raw) => parseOperation(registry, verifier, raw, receivedAtMs));
    const uploadedBy = operations[0]!.actor_id;
    const context = { clinicId, uploadedBy, receivedAtMs, settings: { ...settings, ...changed }, firstDayMs };
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

function ratioOf(goal: Goal, times: Times, title: string): Figure {
  const [with_, without] = [summarise(times.with), summarise(times.without)];
  printSummary(`${title}: with`, with_);
  printSummary(`${title}: without`, without);
  // Single turns differ by more than the cost, so the ratio is that of medians.
  return { goal, values: [with_.median / without.median] };
}
