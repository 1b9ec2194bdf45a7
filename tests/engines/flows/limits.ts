/** Engines that lack something. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyBuild, ServerProcess } from '#tests/support/server-process.ts';
import { openRescue } from '#src/features/outbox/rescue/rescue-file.ts';
import type { EngineName } from '../drivers/browser.ts';
import { button, field, heading } from '../drivers/elements.ts';
import { Testbed } from '../testbed.ts';
import { openPage } from './desk.ts';
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

/** An app on the home screen of an iPad opens no windows; other browsers may block them, or think that a tap is too long ago. */
const withoutWindowsOf: Record<EngineName, string> = {
  webkit: `
    for (const [name, value] of Object.entries({
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
      maxTouchPoints: 5,
      standalone: true,
    })) Object.defineProperty(Navigator.prototype, name, { configurable: true, get: () => value });`,
  firefox: 'window.open = () => null;',
};

export const withoutWindows: Flow = {
  name: 'no windows',
  run: async (testbed) => {
    const { tab, counter } = await testbed.signedIn('counter', { script: withoutWindowsOf[testbed.engine.name] });
    const printed: string[] = [];
    for (const service of ['Dental cleaning', 'Dental check-up']) {
      await counter.openPayment(service);
      const { number, paper } = await counter.payInPage();
      check(paper.pages === 1, `The paper has ${paper.pages} pages.`);
      check(paper.text.includes(service), `The paper says: ${paper.text}`);
      check(!printed.some((earlier) => paper.text.includes(earlier)), `The paper also shows ${printed.join()}.`);
      check(!paper.text.includes('Online'), 'The paper shows the app around it.');
      printed.push(number);
    }
    await testbed.settle(tab, printed);
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
      const tablet = await testbed.signedIn('admin', { script: forget });
      const { tab, counter } = tablet;
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
      for (const page of ['dashboard', 'stock', 'reports', 'expenses', 'staff', 'settings'])
        await openPage(tablet, page);
      const errors = testbed.errors();
      check(errors.length === 0, errors.join('; '));
    } finally {
      await testbed.close();
      await clinic.destroy();
      await rm(build, { recursive: true, force: true });
    }
  },
};

export const tooOld: Flow = {
  name: 'an engine below the floors',
  run: async (testbed) => {
    const before = await testbed.signedIn();
    testbed.loseNetwork();
    const { invoice } = await before.counter.sell();
    await before.browser.close();
    // The engine itself was new enough yesterday; since then the app needs more.
    const script = 'delete Array.prototype.toReversed;';
    const { tab, browser, counter } = await testbed.open({ profile: before.profile, script });
    await counter.goto('/');
    await tab.shows(heading('This browser is too old for Dental Counter'));
    await tab.shows(heading(/navegador es demasiado antiguo/));
    const passphrase = 'a long passphrase';
    await tab.fill(field(/^Passphrase/), passphrase);
    await tab.fill(field(/^Repeat the passphrase/), passphrase);
    await tab.tap(button(/^Save rescue file/));
    const file = await tab.until('a rescue file', async () => (await browser.downloads())[0]);
    const rescue = await openRescue(new Uint8Array(await readFile(file!)), passphrase);
    check(rescue.ok, 'The rescue file does not open.');
    check(JSON.stringify(rescue.content.entries).includes(invoice), 'The rescue file lacks the sale.');
    await browser.close();

    // After the update of the engine the sale is sent.
    testbed.findNetwork();
    const after = await testbed.reopened(before);
    await testbed.settle(after.tab, [invoice]);
  },
};
