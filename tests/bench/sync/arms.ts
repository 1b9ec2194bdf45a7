/**
 * The libraries and methods that are compared, each sending the same operations to a server. Each round starts with a
 * new browser profile in which the app's commands have written the operations; only the sending is measured.
 */
import type { Page } from '@playwright/test';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { callInPage } from '../in-page.ts';
import { countBooked, countResources, countPouch } from './losses.ts';
import type { Losses } from './losses.ts';
import type { Delay, Testbed } from './testbed.ts';

export interface Round extends Losses {
  ms: number;
  operations: AnyOperation[];
  /** Milliseconds until the feed has returned the effects, and by step of the engine; measured for our arm only. */
  settledMs?: number;
  spent?: Record<string, number>;
}

export interface Arm {
  name: string;
  round(testbed: Testbed, delay: Delay, size: number): Promise<Round>;
}

type ArmName = 'rest' | 'workbox' | 'rxdb' | 'pouch';

interface Prepared {
  page: Page;
  operations: AnyOperation[];
  token: string;
}

/** Opens a profile and makes sales in it without sending them. */
async function sold(testbed: Testbed, delay: Delay, size: number): Promise<Prepared> {
  const page = await testbed.page('clinic', delay);
  const token = await callInPage(page, 'counter', 'open');
  await callInPage(page, 'counter', 'queueSales', size / 2);
  return { page, token, operations: await callInPage(page, 'counter', 'queued') };
}

/** @returns milliseconds for the sending only */
async function timed(module: ArmName, { page, operations, token }: Prepared, database = ''): Promise<number> {
  await callInPage(page, module, 'prepare', operations, token);
  const ms = await callInPage(page, module, 'run', database);
  await page.context().close();
  return ms;
}

export const ourArm: Arm = {
  name: 'Dental Counter',
  async round(testbed, delay, size) {
    const { page, operations } = await sold(testbed, delay, size);
    const { acceptedMs, settledMs, spent } = await callInPage(page, 'counter', 'drain');
    await page.context().close();
    return { ms: acceptedMs, settledMs, spent, operations, ...(await countBooked(testbed.sql, operations)) };
  },
};

/** Returns an arm that sends the operations as REST calls. */
const overRest = (name: string, module: ArmName): Arm => ({
  name,
  async round(testbed, delay, size) {
    const prepared = await sold(testbed, delay, size);
    const ms = await timed(module, prepared);
    return { ms, operations: prepared.operations, ...(await countBooked(testbed.sql, prepared.operations)) };
  },
});

export const workboxArm = overRest('Workbox background sync', 'workbox');
export const restArm = overRest('one REST call after another', 'rest');

export const rxdbArm: Arm = {
  name: 'RxDB push replication',
  async round(testbed, delay, size) {
    const prepared = await sold(testbed, delay, size);
    const ms = await timed('rxdb', prepared);
    return { ms, operations: prepared.operations, ...(await countResources(testbed.sql, prepared.operations)) };
  },
};

export const pouchArm: Arm = {
  name: 'PouchDB to express-pouchdb',
  async round(testbed, delay, size) {
    const { page: writer, operations, token } = await sold(testbed, 0, size);
    await writer.context().close();
    const database = `round-${Date.now()}`;
    const ms = await timed('pouch', { page: await testbed.page('pouch', delay), operations, token }, database);
    return { ms, operations, ...(await countPouch(`${testbed.pouchUrl}/${database}`, operations)) };
  },
};
