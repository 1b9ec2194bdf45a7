import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { openCluster } from './cluster/cluster.ts';
import type { Cluster } from './cluster/cluster.ts';
import { simulate } from './simulation.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster((await freshDatabase()).connectionString);
});
afterAll(() => cluster.close());

/** The same servers behind a slow and fitful database. */
const slowed = (): Cluster => ({ ...cluster, apps: cluster.apps.map(slowApp), ask: slowAsk });

const slowApp = (app: FastifyInstance): FastifyInstance =>
  Object.assign(Object.create(app) as FastifyInstance, {
    inject: async (request: InjectOptions) => {
      await aWhile();
      const reply = await app.inject(request);
      await aWhile();
      return reply;
    },
  });

const slowAsk: Cluster['ask'] = async (text, values) => {
  await aWhile();
  return cluster.ask(text, values);
};

/** Real time, and a different one each time: none of it may show. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));

describe('a simulated history', () => {
  test.each([3, 14, 18, 19, 44, 56, 159, 2653, 58_979])(
    'seed %i is told twice in the same words, however slow the database',
    { timeout: 60_000 },
    async (seed) => {
      const [first, second] = [await simulate(seed, cluster), await simulate(seed, slowed())];
      expect(second.history.toString()).toBe(first.history.toString());
      expect(second.history.digest()).toBe(first.history.digest());
    },
  );
});
