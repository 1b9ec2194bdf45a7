/** `npm run bench`: every section in one run, one after another, but for those that last. Names on the command line choose sections. */
import { benchBundle } from './bundle.ts';
import { benchCounter } from './counter.ts';
import { benchDesk } from './back-office.ts';
import { benchDrain } from './drain.ts';
import { benchExports } from './exports.ts';
import { benchLoad } from './load.ts';
import { benchMoney } from './money.ts';
import { benchOpening } from './opening.ts';
import { benchReports } from './reports.ts';
import { benchStock } from './stock.ts';
import { benchSync } from './sync/compare.ts';

interface Section {
  tells: string;
  run: () => Promise<void>;
  /** It is measured where it is asked for. */
  isLong?: true;
}

const sections: Record<string, Section> = {
  bundle: { tells: 'what the pages weigh, and what of', run: benchBundle },
  counter: {
    tells: 'sales and searches at a quarter of the machine’s speed, with the server and without',
    run: benchCounter,
  },
  opening: { tells: 'how the installed app opens, and how a working minute feels', run: benchOpening },
  sync: { tells: 'the engine beside other ways to send the same', run: benchSync },
  drain: { tells: 'a queue of three days that leaves while the clerk sells on', run: benchDrain },
  stock: { tells: 'the lists of a large stock, and its first download', run: benchStock },
  exports: { tells: 'long reports as files, and who waits meanwhile', run: benchExports },
  desk: { tells: 'the lists of staff and expenses in a large house', run: benchDesk },
  reports: { tells: 'reports after three years and a million treatments', run: benchReports },
  money: { tells: 'money taken, beside the bare SQL', run: benchMoney },
  load: { tells: 'two hundred tablets for ten minutes', run: benchLoad, isLong: true },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in sections));
if (unknown.length > 0) {
  for (const [name, { tells, isLong }] of Object.entries(sections))
    console.log(`${name.padEnd(8)} ${tells}${isLong ? '; only where it is named' : ''}`);
  process.exitCode = unknown.includes('list') ? 0 : 1;
} else {
  for (const [name, { run, isLong }] of Object.entries(sections)) {
    if (wanted.length === 0 ? !isLong : wanted.includes(name)) await run();
  }
}
