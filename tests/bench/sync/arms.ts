/**
 * The ways of getting the same operations to a server. Each round starts with a fresh browser profile in which the
 * product's own commands have written them; only the sending is timed.
 */
import type { Page } from '@playwright/test';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { callInPage } from '../in-page.ts';
import { countBooked, countResources, countPouch } from './losses.ts';
import type { Losses } from './losses.ts';
import type { Delay, World } from './testbed.ts';

export interface Round extends Losses {
  ms: number;
  operations: AnyOperation[];
  /** Ours alone goes on to fetch what the server made of them, and says what it waited for (milliseconds). */
  settledMs?: number;
  spent?: Record<string, number>;
}

export interface Arm {
  name: string;
  round(world: World, delay: Delay, size: number): Promise<Round>;
}

type ArmName = 'rest' | 'workbox' | 'rxdb' | 'pouch';

interface Prepared {
  page: Page;
  operations: AnyOperation[];
  token: string;
}

/** A profile that has sold and not sent. */
async function sold(world: World, delay: Delay, size: number): Promise<Prepared> {
  const page = await world.page('clinic', delay);
  const token = await callInPage(page, 'counter', 'open');
  await callInPage(page, 'counter', 'queueSales', size / 2);
  return { page, token, operations: await callInPage(page, 'counter', 'queued') };
}

/** @returns the milliseconds of sending alone */
async function timed(module: ArmName, { page, operations, token }: Prepared, database = ''): Promise<number> {
  await callInPage(page, module, 'prepare', operations, token);
  const ms = await callInPage(page, module, 'run', database);
  await page.context().close();
  return ms;
}

export const ourArm: Arm = {
  name: 'Dental Counter',
  async round(world, delay, size) {
    const { page, operations } = await sold(world, delay, size);
    const { acceptedMs, settledMs, spent } = await callInPage(page, 'counter', 'drain');
    await page.context().close();
    return { ms: acceptedMs, settledMs, spent, operations, ...(await countBooked(world.sql, operations)) };
  },
};

/** An arm that makes the same REST calls. */
const overRest = (name: string, module: ArmName): Arm => ({
  name,
  async round(world, delay, size) {
    const prepared = await sold(world, delay, size);
    const ms = await timed(module, prepared);
    return { ms, operations: prepared.operations, ...(await countBooked(world.sql, prepared.operations)) };
  },
});

export const workboxArm = overRest('Workbox background sync', 'workbox');
export const restArm = overRest('one REST call after another', 'rest');

export const rxdbArm: Arm = {
  name: 'RxDB push replication',
  async round(world, delay, size) {
    const prepared = await sold(world, delay, size);
    const ms = await timed('rxdb', prepared);
    return { ms, operations: prepared.operations, ...(await countResources(world.sql, prepared.operations)) };
  },
};

export const pouchArm: Arm = {
  name: 'PouchDB to express-pouchdb',
  async round(world, delay, size) {
    const { page: writer, operations, token } = await sold(world, 0, size);
    await writer.context().close();
    const database = `round-${Date.now()}`;
    const ms = await timed('pouch', { page: await world.page('pouch', delay), operations, token }, database);
    return { ms, operations, ...(await countPouch(`${world.pouchUrl}/${database}`, operations)) };
  },
};
