/**
 * Runs the benchmarks. `npm run bench` runs all sections in sequence, except the long ones; `npm run bench -- NAME…`
 * runs the named sections; `npm run bench -- list` lists them.
 */
import { benchBundle } from './bundle.ts';
import { benchCounter } from './counter.ts';
import { benchBackOffice } from './back-office.ts';
import { benchDrain } from './drain.ts';
import { benchExports } from './exports.ts';
import { benchLoad } from './load.ts';
import { benchMoney } from './money.ts';
import { benchOpening } from './opening.ts';
import { benchProof } from './proof.ts';
import { benchReports } from './reports.ts';
import { benchStock } from './stock.ts';
import { benchTenants } from './tenants.ts';
import { benchSync } from './sync/compare.ts';

interface Section {
  description: string;
  run: () => Promise<void>;
  /** Runs only when it is named. */
  isLong?: true;
}

const sections: Record<string, Section> = {
  bundle: { description: 'the size of the pages, by origin', run: benchBundle },
  counter: {
    description: 'sales and searches at a quarter of the CPU speed, with and without the server',
    run: benchCounter,
  },
  opening: {
    description: 'opening the installed app, and interaction delays during a minute of work',
    run: benchOpening,
  },
  sync: { description: 'the sync engine compared with other libraries', run: benchSync },
  drain: { description: 'sending a queue of three days while the counter keeps selling', run: benchDrain },
  stock: { description: 'the lists of a large stock, and its first sync', run: benchStock },
  exports: { description: 'long exports, and the delay of other requests meanwhile', run: benchExports },
  'back-office': { description: 'the lists of staff and expenses of a large clinic', run: benchBackOffice },
  reports: { description: 'reports over three years and a million treatments', run: benchReports },
  money: { description: 'payments per second, compared with the bare SQL statements', run: benchMoney },
  proof: { description: 'the cost of proofs on a sale and on a batch', run: benchProof },
  tenants: { description: 'the sales of a clinic beside the load of another one', run: benchTenants, isLong: true },
  load: { description: 'two hundred tablets for ten minutes', run: benchLoad, isLong: true },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in sections));
if (unknown.length > 0) {
  for (const [name, { description, isLong }] of Object.entries(sections))
    console.log(`${name.padEnd(12)} ${description}${isLong ? '; runs only when named' : ''}`);
  process.exitCode = unknown.includes('list') ? 0 : 1;
} else {
  for (const [name, { run, isLong }] of Object.entries(sections)) {
    if (wanted.length === 0 ? !isLong : wanted.includes(name)) await run();
  }
}
