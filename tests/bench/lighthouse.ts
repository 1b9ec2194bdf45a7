/**
 * Measures pages with Lighthouse as a phone of medium speed loads them: the sign-in page on a first visit, and the counter
 * of an installed app.
 */
import { chromium } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromiumOptions } from '../support/chromium.ts';
import { freePort } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { Tablet } from '../support/tablet.ts';
import { withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { printSummary, summarise } from './statistics.ts';
import { installRivals, rivalsFolder } from './sync/build.ts';

interface Flags {
  port: number;
  onlyCategories: string[];
  /** Keeps cookies, storage and the service worker. */
  disableStorageReset: boolean;
  logLevel: 'error';
}

/** What this section uses of Lighthouse, which is installed with the rivals and not with the product's packages. */
interface LighthouseModule {
  default: (url: string, flags: Flags) => Promise<{ lhr: { categories: { performance: { score: number } } } }>;
}

export async function benchLighthouse({ short }: Form): Promise<Figure[]> {
  await installRivals();
  return withClinic(async ({ clinic }) => {
    const rounds = short ? 3 : 5;
    const { signIn, counter } = goals.lighthouse;
    console.log('\nLighthouse, mobile, performance');
    return [
      { goal: signIn, values: await scoresOf(clinic, '/login', { rounds, signedIn: false }) },
      { goal: counter, values: await scoresOf(clinic, '/', { rounds, signedIn: true }) },
    ];
  });
}

async function scoresOf(
  clinic: ServerProcess,
  page: string,
  { rounds, signedIn }: { rounds: number; signedIn: boolean },
): Promise<number[]> {
  const { default: lighthouse } = (await import(
    path.join(rivalsFolder, 'node_modules/lighthouse/core/index.js')
  )) as LighthouseModule;
  const profile = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const port = await freePort();
  const args = [...chromiumOptions.args!, `--remote-debugging-port=${port}`];
  // Lighthouse opens its page in the profile itself, not in one of Playwright's contexts.
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions,
    args,
    baseURL: clinic.url,
  });
  try {
    if (signedIn) {
      const tablet = new Tablet(clinic, context, await context.newPage());
      await tablet.signIn();
      await tablet.page.close();
    }
    const scores: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { lhr } = await lighthouse(`${clinic.url}${page}`, {
        port,
        onlyCategories: ['performance'],
        disableStorageReset: signedIn,
        logLevel: 'error',
      });
      scores.push(lhr.categories.performance.score * 100);
    }
    printSummary(page, summarise(scores), '');
    return scores;
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}
