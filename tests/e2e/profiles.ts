/** Browser profiles that stay signed in. To sign in and to cache the app takes seconds, to open a page in such a profile does not. */
import type { BrowserContext } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { Tablet } from '../support/tablet.ts';
import type { DemoRole } from '../support/tablet.ts';

/** Deletes what a person leaves on a tablet apart from work: choices, the plan, drafts and remembered replies. */
async function clearTraces(): Promise<void> {
  localStorage.clear();
  const open = indexedDB.open('dental-counter');
  const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
  const tables = ['drafts', 'query_cache'];
  const write = db.transaction(tables, 'readwrite');
  for (const table of tables) write.objectStore(table).clear();
  await new Promise((resolve) => (write.oncomplete = resolve));
  db.close();
}

/** The profiles of one clinic, by the role of the person who is signed in. One test at a time uses them. */
export class SignedInProfiles {
  private readonly free: Record<DemoRole, BrowserContext[]> = { admin: [], manager: [], counter: [] };
  private readonly lent: { role: DemoRole; context: BrowserContext }[] = [];

  constructor(
    private readonly clinic: ServerProcess,
    private readonly newProfile: () => Promise<BrowserContext>,
  ) {}

  /** Returns a tablet with an empty page. */
  async lend(role: DemoRole): Promise<Tablet> {
    const context = this.free[role].pop() ?? (await this.signedIn(role));
    this.lent.push({ role, context });
    const page = await context.newPage();
    await page.goto('/api/health');
    await page.evaluate(clearTraces);
    return new Tablet(this.clinic, context, page);
  }

  /** Takes the profiles back. One whose person has signed out or is locked is not used again. */
  async takeBack(): Promise<void> {
    for (const { role, context } of this.lent.splice(0)) {
      await context.setOffline(false);
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      for (const page of context.pages()) await page.close();
      const cookies = await context.cookies();
      if (cookies.some(({ name }) => name === 'pos_token')) this.free[role].push(context);
      else await context.close();
    }
  }

  private async signedIn(role: DemoRole): Promise<BrowserContext> {
    const context = await this.newProfile();
    const page = await context.newPage();
    await new Tablet(this.clinic, context, page).signIn(role);
    await page.close();
    return context;
  }

  async close(): Promise<void> {
    for (const context of Object.values(this.free).flat()) await context.close();
  }
}
