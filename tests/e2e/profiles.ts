/** Browser profiles that stay signed in. To sign in and to cache the app takes seconds, to open a page in such a profile does not. */
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { Tablet } from '../support/tablet.ts';
import type { DemoRole } from '../support/tablet.ts';

/** The profile of a tablet at which somebody has signed in, and which shows no page now. */
type Profile = Pick<Tablet, 'context' | 'actorKey'>;

/**
 * Deletes what a person leaves on a tablet apart from work: choices, the plan, drafts and remembered replies.
 *
 * @returns the states of the work that the server has not accepted
 */
async function clearTraces(): Promise<string[]> {
  localStorage.clear();
  const open = indexedDB.open('dental-counter');
  const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
  const traces = ['drafts', 'query_cache'];
  const transaction = db.transaction([...traces, 'operation_states'], 'readwrite');
  for (const table of traces) transaction.objectStore(table).clear();
  const states = transaction.objectStore('operation_states').getAll();
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  db.close();
  const statuses = states.result.map(({ status }: { status: string }) => status);
  return statuses.filter((status) => status !== 'accepted' && status !== 'settled');
}

/** The profiles of one clinic, by the role of the person who is signed in. One test at a time uses them. */
export class SignedInProfiles {
  private readonly free: Record<DemoRole, Profile[]> = { admin: [], manager: [], counter: [] };
  private readonly lent: { role: DemoRole; profile: Profile }[] = [];

  constructor(
    private readonly clinic: ServerProcess,
    private readonly newContext: () => Promise<BrowserContext>,
  ) {}

  /** Returns a tablet with an empty page and an empty outbox. */
  async lend(role: DemoRole): Promise<Tablet> {
    const profile = this.free[role].pop() ?? (await this.signedIn(role));
    const page = await profile.context.newPage();
    if (!(await isReady(page))) {
      await profile.context.close();
      return this.lend(role);
    }
    this.lent.push({ role, profile });
    const tablet = new Tablet(this.clinic, profile.context, page);
    tablet.actorKey = profile.actorKey;
    return tablet;
  }

  /** Takes the profiles back. One whose person has signed out or is locked is not used again. */
  async takeBack(): Promise<void> {
    for (const { role, profile } of this.lent.splice(0)) {
      const { context } = profile;
      await context.setOffline(false);
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      for (const page of context.pages()) await page.close();
      const cookies = await context.cookies();
      if (cookies.some(({ name }) => name === 'pos_token')) this.free[role].push(profile);
      else await context.close();
    }
  }

  private async signedIn(role: DemoRole): Promise<Profile> {
    const context = await this.newContext();
    const tablet = new Tablet(this.clinic, context, await context.newPage());
    await tablet.signIn(role);
    await tablet.page.close();
    return tablet;
  }

  async close(): Promise<void> {
    for (const { context } of Object.values(this.free).flat()) await context.close();
  }
}

/** Clears the profile, and lets the app send what the last test has left unsent. @returns false if it can't be sent */
async function isReady(page: Page): Promise<boolean> {
  const isSent = async () => (await page.evaluate(clearTraces)).length === 0;
  await page.goto('/api/health');
  if (await isSent()) return true;
  await page.goto('/');
  const sent = expect.poll(isSent).toBe(true);
  const isDone = await sent.then(
    () => true,
    () => false,
  );
  await page.goto('/api/health');
  return isDone && isSent();
}
