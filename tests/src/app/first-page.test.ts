import { beforeEach, expect, test, vi } from 'vitest';
import type { Role, UserClaims } from '#domain/staff/roles.ts';
import { eventually } from '#tests/support/eventually.ts';

const parts = {
  deskShell: ['app/shells/desk-shell.tsx', 'DeskShell'],
  roleShell: ['app/shells/role-shell.tsx', 'RoleShell'],
  lock: ['app/lock/lock-screen.tsx', 'LockScreen'],
  outbox: ['features/outbox/outbox-screen.tsx', 'OutboxScreen'],
  counter: ['features/counter/counter-screen.tsx', 'CounterScreen'],
  drawer: ['features/drawer/drawer-screen.tsx', 'DrawerScreen'],
  stock: ['features/stock/stock-screen.tsx', 'StockScreen'],
} as const;
type Part = keyof typeof parts;

const userOf = (role: Role) => ({ id: 1, role }) as UserClaims;

/** The requested parts. */
const asked = new Set<Part>();
/** The parts whose code does not load while a test runs; that of `missing` fails to load. */
let slow: Part[] = [];
let missing: Part[] = [];

beforeEach(() => {
  vi.resetModules();
  asked.clear();
  [slow, missing] = [[], []];
  for (const [part, [file, name]] of Object.entries(parts) as [Part, readonly [string, string]][]) {
    vi.doMock(`../../../src/${file}`, () => {
      asked.add(part);
      if (missing.includes(part)) return Promise.reject(new Error('no network'));
      if (slow.includes(part)) return new Promise(() => {});
      return { [name]: () => null, prepareCounter: async () => undefined };
    });
  }
  vi.doMock('#src/features/sign-in/sign-in-screen.tsx', () => ({ SignInScreen: () => null }));
  vi.doMock('#src/server-data/server-data-provider.tsx', () => ({ ServerDataProvider: () => null }));
});

/** Gathers the first page of an address, as far as it does before it is drawn. @returns what was asked for, in no order */
async function firstPageOf(pathname: string, { role, locked = false }: { role: Role | undefined; locked?: boolean }) {
  vi.stubGlobal('location', { pathname });
  const { useSession } = await import('#src/session/session.ts');
  const { loadFirstPage } = await import('#src/app/routes.tsx');
  useSession.setState(role ? { user: userOf(role), mode: 'online', locked } : { user: null, mode: null, locked });
  await loadFirstPage();
  return [...asked].toSorted();
}

test.each([
  ['/drawer', 'counter', ['drawer', 'roleShell']],
  ['/admin/stock', 'admin', ['deskShell', 'stock']],
  ['/stock', 'manager', ['deskShell', 'stock']],
  // An installed app's shortcut, and an address that leads to where one starts.
  ['/outbox', 'admin', ['deskShell', 'outbox']],
  ['/nowhere', 'counter', ['counter', 'roleShell']],
  ['/outbox', 'counter', ['outbox', 'roleShell']],
  ['/admin/outbox', 'admin', ['deskShell', 'outbox']],
  // The sign-in page is part of the entry.
  ['/login', 'counter', []],
  ['/drawer', undefined, []],
] as const)('%s gathers for the role %s: %s', async (address, role, page) => {
  expect(await firstPageOf(address, { role })).toEqual(page);
});

test('a locked start waits for the lock screen only, and requests the page behind it', async () => {
  slow = ['roleShell', 'counter'];
  expect(await firstPageOf('/', { role: 'counter', locked: true })).toEqual(['counter', 'lock', 'roleShell']);
});

test('an unlocked start waits for all code of its page', async () => {
  slow = ['roleShell'];
  const gathered = vi.fn<() => void>();
  void firstPageOf('/drawer', { role: 'counter' }).then(gathered);
  await eventually(() => expect([...asked].toSorted()).toEqual(['drawer', 'roleShell']));
  await new Promise((end) => setTimeout(end, 20));
  expect(gathered).not.toHaveBeenCalled();
});

test.each([false, true])('the app renders although code failed to load (locked: %s)', async (locked) => {
  missing = ['lock', 'roleShell', 'drawer'];
  expect(await firstPageOf('/drawer', { role: 'counter', locked })).toContain('drawer');
});
