import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClinicDatabase } from '#src/db/database.ts';
import {
  betweenTransactions,
  leaveNoTransaction,
  undisturbed,
  watchTransactions,
} from '#src/local-data/transactions.ts';

const farMs = 60_000;
const room = { id: 1, number: '1' } as never;
let factory: IDBFactory;
let page: ClinicDatabase;
let events: EventTarget;
const reload = vi.fn();

beforeEach(() => {
  events = new EventTarget();
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('location', { reload });
  reload.mockReset();
  factory = new IDBFactory();
  page = open();
  watchTransactions(page);
  leaveNoTransaction(page);
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

const open = () => new ClinicDatabase('clinic', { indexedDB: factory, IDBKeyRange });
const happens = (type: string, persisted: boolean) =>
  events.dispatchEvent(Object.assign(new Event(type), { persisted }));

/** Begins a transaction that writes a room and then stays open until it is let go. */
async function begin() {
  let isLetGo = false;
  let note = (): void => undefined;
  const begun = new Promise<void>((resolve) => (note = resolve));
  const ended = page.transaction('rw', page.rooms, async () => {
    await page.rooms.put(room);
    note();
    while (!isLetGo) await page.rooms.count();
  });
  await begun;
  return { ended, letGo: () => (isLetGo = true) };
}

test('what interrupts transactions waits for the running one, and for none when the page is at rest', async () => {
  expect(await betweenTransactions(() => 'window', farMs)).toBe('window');
  const { ended, letGo } = await begin();
  const interrupt = vi.fn();
  const waiting = betweenTransactions(interrupt, farMs);
  await page.rooms.count();
  expect(interrupt).not.toHaveBeenCalled();
  letGo();
  await ended;
  await waiting;
  expect(interrupt).toHaveBeenCalledOnce();
});

test('it waits no longer than it may', async () => {
  const { ended, letGo } = await begin();
  await betweenTransactions(() => undefined, 20);
  letGo();
  await ended;
});

test('the engine of the page begins nothing meanwhile', async () => {
  const happened: string[] = [];
  await betweenTransactions(() => {
    void undisturbed().then(() => happened.push('transaction'));
    happened.push('window');
  }, farMs);
  await vi.waitFor(() => expect(happened).toEqual(['window', 'transaction']));
});

test('a page that the browser keeps ends its transactions, so that others may write', async () => {
  const { ended } = await begin();
  const refused = expect(ended).rejects.toThrow();
  happens('pagehide', true);
  await refused;
  const other = open();
  expect(await other.rooms.count()).toBe(0);
  await other.rooms.put(room);
  other.close();
  happens('pageshow', true);
  expect(reload).toHaveBeenCalledOnce();
});

test('a page that closes, or opens for the first time, goes on', async () => {
  const { ended, letGo } = await begin();
  happens('pagehide', false);
  happens('pageshow', false);
  letGo();
  await ended;
  const other = open();
  expect(await other.rooms.count()).toBe(1);
  other.close();
  expect(reload).not.toHaveBeenCalled();
});
