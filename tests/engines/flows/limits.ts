/** Engines that lack something. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyBuild, ServerProcess } from '../../support/server-process.ts';
import { Testbed } from '../testbed.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

export const withoutWorkers: Flow = {
  name: 'no service workers',
  run: async (testbed) => {
    const { tab, counter } = await testbed.signedIn('counter', { hasWorkers: false });
    check(await tab.evaluate(() => !('serviceWorker' in navigator)), 'The engine has service workers.');
    const printed = [(await counter.sell()).invoice];
    await testbed.settle(tab, printed);
    // Without a worker the app does not open offline, but an open page goes on selling.
    testbed.loseNetwork();
    printed.push((await counter.sell({ method: 'Card' })).invoice);
    await counter.status(/Offline/);
    testbed.findNetwork();
    await testbed.settle(tab, printed);
    await counter.status(/Online/, 30_000);
  },
};

/** What engines have got since the floors of `docs/browsers.md`. */
const newerThanFloors = [
  'AbortSignal.any',
  'Array.fromAsync',
  'HTMLElement.prototype.hidePopover',
  'HTMLElement.prototype.popover',
  'HTMLElement.prototype.showPopover',
  'HTMLElement.prototype.togglePopover',
  'Map.groupBy',
  'Navigator.prototype.userActivation',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  'Set.prototype.difference',
  'Set.prototype.intersection',
  'Set.prototype.isDisjointFrom',
  'Set.prototype.isSubsetOf',
  'Set.prototype.isSupersetOf',
  'Set.prototype.symmetricDifference',
  'Set.prototype.union',
  'URL.canParse',
  'URL.parse',
  'Uint8Array.fromBase64',
  'Uint8Array.fromHex',
  'Uint8Array.prototype.toBase64',
  'Uint8Array.prototype.toHex',
  'Document.prototype.startViewTransition',
  'Iterator',
  'requestIdleCallback',
  'scheduler',
  'navigation',
  'Temporal',
];

/** Removes them from a page or a worker, in which some never exist. */
const forget = newerThanFloors
  .map((name) => `try { delete globalThis.${name}; } catch { /* It is not here. */ }`)
  .join('\n');

export const oldEngine: Flow = {
  name: 'an engine at the floors',
  run: async ({ engine }) => {
    const build = await copyBuild();
    const worker = path.join(build, 'dist/app/sw.js');
    await writeFile(worker, `${forget}\n${await readFile(worker, 'utf8')}`);
    for (const packed of ['br', 'gz']) await rm(`${worker}.${packed}`, { force: true });
    const clinic = await ServerProcess.create({}, build);
    const testbed = await Testbed.create(engine, clinic);
    try {
      const { tab, counter } = await testbed.signedIn('manager', { script: forget });
      check(
        await tab.evaluate(() => !('any' in AbortSignal) && !('popover' in HTMLElement.prototype)),
        'The engine is not old.',
      );
      const printed = [(await counter.sell()).invoice];
      testbed.loseNetwork();
      await counter.status(/Offline/);
      printed.push((await counter.sell({ method: 'Card' })).invoice);
      await tab.reload();
      await counter.ready();
      testbed.findNetwork();
      await testbed.settle(tab, printed);
      for (const page of ['dashboard', 'stock', 'reports', 'expenses', 'staff', 'settings']) {
        await counter.goto(`/admin/${page}`);
      }
      const errors = testbed.errors();
      check(errors.length === 0, errors.join('; '));
    } finally {
      await testbed.close();
      await clinic.destroy();
      await rm(build, { recursive: true, force: true });
    }
  },
};
