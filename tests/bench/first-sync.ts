/** Measures a tablet's first sync, from the tap on "Sign in". */
import type { Page } from '@playwright/test';
import type { DemoRole } from '../support/tablet.ts';

export interface FirstSync {
  /** Seconds until the counter shows a service that can be tapped; null for people who begin elsewhere. */
  usableSeconds: number | null;
  /** Seconds until the tablet has everything. */
  completeSeconds: number;
}

/** @param watch is called between the questions, for example to sample the memory */
export async function untilSynced(
  page: Page,
  role: DemoRole,
  watch: () => Promise<void> = () => Promise.resolve(),
): Promise<FirstSync> {
  await page.goto('/login');
  await page.locator('input[type=email]').fill(`${role}@demo.test`);
  await page.locator('input[autocomplete=current-password]').fill(`demo-${role}`);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  await page.locator('button[type=submit]').click();
  const found = { usable: null as number | null, complete: null as number | null };
  for (;;) {
    if (role === 'counter' && (await page.locator('[data-tile]:not([disabled])').count()) > 0)
      found.usable ??= seconds();
    if (await isSynced(page)) found.complete ??= seconds();
    if (found.complete !== null && (role !== 'counter' || found.usable !== null))
      return { usableSeconds: found.usable, completeSeconds: found.complete };
    await watch();
    await page.waitForTimeout(50);
  }
}

/** Returns true once the tablet has the feed's cursor, and the last page of patients. */
function isSynced(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const open = indexedDB.open('dental-counter');
        open.onsuccess = () => {
          const { result } = open;
          if (!result.objectStoreNames.contains('sync')) {
            result.close();
            resolve(false);
            return;
          }
          const row = result.transaction('sync').objectStore('sync').get('this');
          row.onsuccess = () => {
            result.close();
            const { cursor, patients_after } = (row.result ?? {}) as {
              cursor?: string | null;
              patients_after?: string | null;
            };
            resolve(cursor != null && patients_after === null);
          };
        };
      }),
  );
}
