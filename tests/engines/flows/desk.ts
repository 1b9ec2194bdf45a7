/** The back office: every page, and what it exports. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { deskPages } from '#tests/e2e/desk-pages.ts';
import english from '#locales/en.json' with { type: 'json' };
import spanishTexts from '#locales/sp.json' with { type: 'json' };
import { distinct } from '../drivers/browser.ts';
import { button } from '../drivers/elements.ts';
import type { Tab } from '../drivers/tab.ts';
import type { Tablet } from '../testbed.ts';
import { check } from './flow.ts';
import type { Flow } from './flow.ts';

const crashed = [english, spanishTexts].map(({ app }) => app.crash.title);

/** Opens a page of the back office and waits until its text stands still. Throws if it has crashed or shows nothing. */
export async function openPage({ tab, counter, browser }: Tablet, path: string): Promise<void> {
  const before = browser.errors().length;
  await counter.goto(`/admin/${path}`);
  let text = '';
  await tab.until(`${path} shows its content`, async () => {
    const now = await tab.text();
    const isAtRest = now === text && now.length > 100 && !(await isLoading(tab));
    text = now;
    return isAtRest;
  });
  await quiet(tab);
  const errors = browser.errors().slice(before);
  const hasCrashed = crashed.some((title) => text.includes(title));
  check(
    !hasCrashed && errors.length === 0,
    `${path}${hasCrashed ? ' has crashed' : ''}: ${distinct(errors).join('; ')}`,
  );
}

/** Leaving a page in the middle of a load makes engines report what they did not load. */
async function quiet(tab: Tab): Promise<void> {
  const loads = () => tab.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  let before = -1;
  await tab.until('the page has loaded everything', async () => {
    const now = await loads();
    await sleep(250);
    const isSame = now.length === before;
    before = now.length;
    // The last part of each page loads when the browser is idle.
    return isSame && now.some((name) => name.includes('/after-first-page-'));
  });
}

const isLoading = (tab: Tab) => tab.evaluate(() => document.querySelector('[aria-busy=true]') !== null);

export const pages: Flow = {
  name: 'every page of the back office',
  run: async (testbed) => {
    const tablet = await testbed.signedIn('admin');
    const faults: string[] = [];
    const paths = [...Object.values(deskPages).flat(), 'counter', 'outbox'];
    for (const path of paths) await openPage(tablet, path).catch((error: Error) => faults.push(error.message));
    check(faults.length === 0, `${faults.length} of ${paths.length} pages: ${faults.join('\n')}`);
    return `${paths.length} pages`;
  },
};

const ascii = (text: string): number[] => Array.from(text).map((letter) => letter.codePointAt(0)!);
const begins: Record<string, number[]> = {
  pdf: ascii('%PDF-'),
  xlsx: ascii('PK\u0003\u0004'),
  csv: [],
  zip: ascii('PK\u0003\u0004'),
};

export const exports: Flow = {
  name: 'exports',
  run: async (testbed) => {
    const tablet = await testbed.signedIn('admin');
    const { tab, browser } = tablet;
    const known = new Set<string>();
    const expectFile = async (ending: string, firstLine = /^/): Promise<void> => {
      const file = await tab.until(`a downloaded ${ending}`, async () =>
        (await browser.downloads()).find((each) => !known.has(each) && each.endsWith(`.${ending}`)),
      );
      known.add(file!);
      const content = await readFile(file!);
      check(
        begins[ending]!.every((byte, index) => content[index] === byte),
        `${file} begins with ${content.subarray(0, 8).toString('hex')}.`,
      );
      const text = content.toString('utf8');
      check(
        ending !== 'csv' || firstLine.test(text.replace('\uFEFF', '')),
        `${file} begins with ${text.slice(0, 80)}.`,
      );
    };
    await openPage(tablet, 'reports?tab=export');
    await tab.tap(button('Export'));
    await tab.tap(button(/PDF/));
    await expectFile('pdf');
    await tab.tap(button('Export'));
    await tab.tap(button(/Excel/));
    await expectFile('xlsx');
    await openPage(tablet, 'services');
    await tab.tap(button('Export'));
    await expectFile('csv', /^\w+[,;]/);
    await openPage(tablet, 'audit');
    await tab.tap(button('Export CSV'));
    await expectFile('csv', /^\w+[,;]/);
    return `${known.size} files`;
  },
};

export const spanish: Flow = {
  name: 'Spanish on a tablet held upright',
  run: async (testbed) => {
    const tablet = await testbed.signedIn('admin', { width: 820, height: 1180 });
    const { tab } = tablet;
    await tab.evaluate(() => localStorage.setItem('i18nextLng', 'sp'));
    const faults: string[] = [];
    for (const path of ['counter', ...Object.values(deskPages).flat()]) {
      await openPage(tablet, path).catch((error: Error) => faults.push(error.message));
      const overflowPx = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (overflowPx > 0) faults.push(`${path} is ${overflowPx} px wider than the screen`);
      const language = await tab.evaluate(() => document.documentElement.lang);
      if (!language.startsWith('es')) faults.push(`${path} is in the language ${language}`);
    }
    check(faults.length === 0, faults.join('\n'));
    await tablet.counter.goto('/admin/counter');
    await tablet.counter.ready();
    await tab.tap({ role: null, selector: '[data-tile]' });
    await tab.tap(button(/^Crear y cobrar/));
    await tab.tap(button('Tarjeta'));
    const { number, window } = await tablet.counter.pay(() => tab.tap(button('Cobrar')));
    const { text } = await tablet.counter.paper(number);
    check(/Factura/.test(text), `The paper says: ${text}`);
    await window.close();
    await testbed.settle(tab, [number]);
  },
};
