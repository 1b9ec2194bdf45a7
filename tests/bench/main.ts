/**
 * Runs the benchmarks and prints one table of goals. `npm run bench` runs all sections in sequence, except the long
 * ones; `npm run bench -- NAME…` runs the named sections; `npm run bench -- list` lists them. `--short` runs each in at
 * most two minutes, with fewer rounds and samples; `--write` writes the table into docs/performance.md.
 */
import { parseArgs } from 'node:util';
import { benchBackOffice } from './back-office.ts';
import { benchBundle } from './bundle.ts';
import { benchCommit } from './commit.ts';
import { benchCosts } from './costs.ts';
import { benchCounter } from './counter.ts';
import { benchDrain } from './drain.ts';
import { benchExports } from './exports.ts';
import { benchFiscal } from './fiscal.ts';
import { missingRow, rowOf } from './figures.ts';
import type { Figure, Form, Row } from './figures.ts';
import { goals } from './goals.ts';
import type { Goal, SectionName } from './goals.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchEndurance, benchLoad } from './load.ts';
import { benchMoney } from './money.ts';
import { benchOpening } from './opening.ts';
import { benchProof } from './proof.ts';
import { benchReports } from './reports.ts';
import { benchStock } from './stock.ts';
import { benchSync } from './sync/compare.ts';
import { printTable, writeTable } from './table.ts';
import { benchStorms } from './storms.ts';
import { benchTenants } from './tenants.ts';
import { benchUnlock } from './unlock.ts';

interface Section {
  description: string;
  run: (form: Form) => Promise<Figure[]>;
  /** Runs only when it is named. */
  isLong?: true;
}

const sections: Record<SectionName, Section> = {
  bundle: { description: 'the size of the pages, by origin', run: benchBundle },
  counter: {
    description: 'sales and searches at a quarter of the CPU speed, with and without the server',
    run: benchCounter,
  },
  opening: {
    description: 'opening the installed app, and interaction delays during a minute of work',
    run: benchOpening,
  },
  unlock: { description: 'the wait at the lock, by PIN and by password', run: benchUnlock },
  lighthouse: { description: 'the pages as Lighthouse judges them', run: benchLighthouse },
  drain: { description: 'sending a queue of three days, alone and while the counter keeps selling', run: benchDrain },
  sync: { description: 'the sync engine compared with other libraries', run: (form) => benchSync(form, 'sync') },
  'sync-far': {
    description: 'the same with 50 ms of network delay',
    run: (form) => benchSync(form, 'sync-far'),
  },
  commit: { description: 'commits at the counter, compared with bare transactions', run: benchCommit },
  money: { description: 'payments per second, compared with the bare SQL statements', run: benchMoney },
  load: { description: 'two hundred tablets for a minute', run: benchLoad },
  reports: { description: 'reports and the first pull of a clinic of three years', run: benchReports },
  stock: { description: 'the lists of a large stock, and its first sync', run: benchStock },
  exports: { description: 'long exports, and the delay of other requests meanwhile', run: benchExports },
  'back-office': { description: 'the lists of staff and expenses of a large clinic', run: benchBackOffice },
  proof: { description: 'the cost of proofs on a sale and on a batch', run: benchProof },
  costs: { description: 'the cost of row-level security and of VERI*FACTU on the server', run: benchCosts },
  fiscal: { description: 'the cost of VERI*FACTU on a sale', run: benchFiscal },
  tenants: { description: 'the sales of a clinic beside the load of another one', run: benchTenants, isLong: true },
  storms: { description: 'the sales of a clinic beside storms of each kind', run: benchStorms, isLong: true },
  endurance: { description: 'two hundred tablets for ten minutes', run: benchEndurance, isLong: true },
};

const { values: asked, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});

const isSection = (name: string): name is SectionName => name in sections;

function list(): void {
  for (const [name, { description, isLong }] of Object.entries(sections))
    console.log(`${name.padEnd(12)} ${description}${isLong ? '; runs only when named' : ''}`);
}

/** Returns a row for each goal of the section, also for those that could not be measured. */
async function rowsOf(name: SectionName): Promise<Row[]> {
  const started = performance.now();
  const found = await sections[name].run(asked).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
    return String(error).split('\n', 1)[0]!;
  });
  console.log(`(${name}: ${((performance.now() - started) / 1000).toFixed(0)} s)`);
  const figures = typeof found === 'string' ? [] : found;
  return Object.values<Goal>(goals[name]).map((goal) => {
    const figure = figures.find((one) => one.goal === goal);
    return figure ? rowOf(figure) : missingRow(goal, typeof found === 'string' ? found : 'not part of this run');
  });
}

if (wanted.every(isSection)) {
  const names = Object.keys(sections).filter(isSection);
  const rows: Row[] = [];
  for (const name of names)
    if (wanted.length === 0 ? !sections[name].isLong : wanted.includes(name)) rows.push(...(await rowsOf(name)));
  console.log('');
  printTable(rows);
  if (asked.write) await writeTable(rows, asked.short ? 'short form' : 'full form');
} else {
  list();
  process.exitCode = wanted.includes('list') ? 0 : 1;
}
