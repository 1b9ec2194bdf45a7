import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { runSeed } from '../support/fixed-run/fixed-run.ts';
import { inLongRun } from '../support/long-run.ts';
import { seededRandom } from '../support/random.ts';
import { openCluster } from './cluster/cluster.ts';
import type { Cluster } from './cluster/cluster.ts';
import { simulate } from './simulate.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster((await freshDatabase()).connectionString);
});
afterAll(() => cluster.close());

/** Delays every request and query of the cluster by a random real time. */
const slowCluster = (): Cluster => ({ ...cluster, apps: cluster.apps.map(slowApp), query: slowQuery });

const slowApp = (app: FastifyInstance): FastifyInstance =>
  Object.assign(Object.create(app) as FastifyInstance, {
    inject: async (request: InjectOptions) => {
      await randomDelay();
      const reply = await app.inject(request);
      await randomDelay();
      return reply;
    },
  });

const slowQuery: Cluster['query'] = async (text, values) => {
  await randomDelay();
  return cluster.query(text, values);
};

const delays = seededRandom(runSeed, 'delays');
/** Waits in real time, which must not affect the history. */
const randomDelay = () => new Promise((resolve) => setTimeout(resolve, delays.next() * 4));

describe('a simulated history', () => {
  test.each(inLongRun([3, 14, 18, 19, 44, 56, 159, 2653, 58_979], { otherwise: [3, 159, 2653] }))(
    'seed %i produces the same history twice when the database is slow',
    { timeout: 300_000 },
    async (seed) => {
      const [first, second] = [await simulate(seed, cluster), await simulate(seed, slowCluster())];
      expect(second.history.toString()).toBe(first.history.toString());
      expect(second.history.digest()).toBe(first.history.digest());
    },
  );
});
