/**
 * Measures how many operations per second the server accepts: several tablets send treatments and payments over HTTP
 * to a server in its own process. The baseline runs the SQL statements of such batches directly on the same database;
 * it omits the queries that the server makes outside a batch's transaction. Rounds are interleaved, so that other load
 * on the machine affects both alike.
 */
import { Client, Pool } from 'pg';
import { batchSchema } from '#domain/protocol/operation-schemas.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { maxBatchBytes, maxBatchOperations } from '#domain/protocol/sync.ts';
import type { Sql } from '#server/db/sql.ts';
import { operationModules } from '#server/modules.ts';
import { applyOperations } from '#server/operations/apply.ts';
import { parseOperation } from '#server/operations/incoming.ts';
import { proofVerifier } from '#server/operations/proof.ts';
import { OperationRegistry } from '#server/operations/registry.ts';
import { loadClinic } from '#server/operations/store.ts';
import { withClinic } from './clinic.ts';
import type { Figure, Form, Losses } from './figures.ts';
import { goals } from './goals.ts';
import { HeadlessTablet, operationsOfSale } from './headless-tablet.ts';
import { summarise } from './statistics.ts';
import { countBooked } from './sync/losses.ts';

const tabletsAtOnce = 4;
/** The operations of a sale have about 4.5 kB together. */
const salesInFullBatch = Math.floor(Math.min(maxBatchOperations / operationsOfSale, maxBatchBytes / 4500));
const clinicId = 1;

/** Two patterns of sales: a queue that is sent after an outage, and a clerk who is online. */
const patterns = [
  {
    goal: goals.money.batches,
    name: 'full batches',
    salesPerBatch: salesInFullBatch,
    batches: Math.ceil(300 / salesInFullBatch),
  },
  { goal: goals.money.single, name: 'one sale at a time', salesPerBatch: 1, batches: 30 },
] as const;
type Pattern = (typeof patterns)[number];

/** A statement as the server passes it to the driver. */
type Statement = Parameters<Client['query']>[0];

interface Bench {
  tablets: HeadlessTablet[];
  /** Connections of the baseline, one for each tablet. */
  bare: Client[];
  sql: Pool;
}

/** Batches of each tablet in the order of sending. */
type Work = AnyOperation[][][];

const workOf = ({ tablets }: Bench, { salesPerBatch, batches }: Pattern): Work =>
  tablets.map((tablet) =>
    Array.from({ length: batches }, (_, batch) =>
      Array.from({ length: salesPerBatch }, (_sale, sale) => tablet.sale(batch * salesPerBatch + sale)).flat(),
    ),
  );

/** Returns the statements that apply a batch. Applies the batch to record them, and rolls it back. */
async function statementsOf(client: Client, batch: AnyOperation[]): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const recorder = {
    query: (statement: Statement) => (recorded.push(statement), client.query(statement)),
  } as unknown as Sql;
  const { settings, firstDayMs, actorKeySecret } = await loadClinic(client, clinicId);
  const verifier = proofVerifier(actorKeySecret);
  const registry = new OperationRegistry(operationModules);
  const receivedAtMs = Date.now();
  const incoming = batchSchema
    .parse({ operations: batch })
    .operations.map((raw) => parseOperation(registry, verifier, raw, receivedAtMs));
  await client.query('begin');
  await applyOperations(
    recorder,
    registry,
    { clinicId, uploadedBy: batch[0]!.actor_id, receivedAtMs, settings, firstDayMs },
    incoming,
  );
  await client.query('rollback');
  return recorded;
}

/** Sends the batches over HTTP. @returns milliseconds until all replies have arrived */
async function overHttp({ tablets }: Bench, work: Work): Promise<number> {
  const started = performance.now();
  await Promise.all(
    tablets.map(async (tablet, index) => {
      for (const batch of work[index]!) {
        const results = await tablet.send(batch);
        const refused = results.find(({ status }) => status !== 'applied');
        if (refused) throw new Error(JSON.stringify(refused));
      }
    }),
  );
  return performance.now() - started;
}

/** Runs the same transactions on as many connections. @returns milliseconds until all are committed */
async function bareSql({ bare }: Bench, work: Work): Promise<number> {
  const statements: Statement[][][] = [];
  for (const [index, batches] of work.entries()) {
    statements[index] = [];
    for (const batch of batches) statements[index].push(await statementsOf(bare[index]!, batch));
  }
  const started = performance.now();
  await Promise.all(
    bare.map(async (client, index) => {
      for (const batch of statements[index]!) {
        await client.query('begin');
        for (const statement of batch) await client.query(statement);
        await client.query('commit');
      }
    }),
  );
  return performance.now() - started;
}

const arms = { 'over HTTP': overHttp, 'bare SQL': bareSql };

interface Speeds extends Losses {
  perSecond: number[];
}

async function measure(bench: Bench, pattern: Pattern, rounds: number): Promise<Figure> {
  const found = new Map<string, Speeds>(
    Object.keys(arms).map((name) => [name, { perSecond: [], lost: 0, doubled: 0 }]),
  );
  const operations = tabletsAtOnce * pattern.batches * pattern.salesPerBatch * operationsOfSale;
  const ratios: number[] = [];
  // The first round warms up the server's caches.
  for (let round = 0; round <= rounds; round++) {
    const turns = Object.entries(arms);
    const speeds: Record<string, number> = {};
    for (const [name, run] of round % 2 === 0 ? turns : turns.toReversed()) {
      const work = workOf(bench, pattern);
      const speed = (operations / (await run(bench, work))) * 1000;
      const { lost, doubled } = await countBooked(bench.sql, work.flat(2));
      speeds[name] = speed;
      const figures = found.get(name)!;
      figures.lost += lost;
      figures.doubled += doubled;
      if (round > 0) figures.perSecond.push(speed);
    }
    if (round > 0) ratios.push(speeds['over HTTP']! / speeds['bare SQL']!);
  }
  console.log(
    `\nMoney, ${pattern.name}: ${tabletsAtOnce} tablets at once, ${operations} operations per round, ${rounds} rounds`,
  );
  for (const [name, { perSecond, lost, doubled }] of found) {
    const worst = Math.min(...perSecond)
      .toFixed(0)
      .padStart(6);
    console.log(
      `${name.padEnd(12)} operations per second: median ${summarise(perSecond).median.toFixed(0).padStart(6)}  worst ${worst}  lost ${lost}  doubled ${doubled}`,
    );
  }
  const { perSecond, ...losses } = found.get('over HTTP')!;
  return { goal: pattern.goal, values: ratios, losses, note: `${summarise(perSecond).median.toFixed(0)} op/s` };
}

export function benchMoney({ short }: Form): Promise<Figure[]> {
  return withClinic(async ({ clinic, connectionString }) => {
    const sql = new Pool({ connectionString, max: 1 });
    const bench: Bench = { tablets: [], bare: [], sql };
    try {
      for (let n = 0; n < tabletsAtOnce; n++) {
        const tablet = await HeadlessTablet.enrol(clinic.url);
        await tablet.pull(null);
        bench.tablets.push(tablet);
        const client = new Client({ connectionString });
        await client.connect();
        bench.bare.push(client);
      }
      const figures: Figure[] = [];
      for (const pattern of patterns) figures.push(await measure(bench, pattern, short ? 5 : 11));
      return figures;
    } finally {
      for (const client of bench.bare) await client.end();
      await sql.end();
    }
  });
}
