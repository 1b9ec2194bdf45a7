/** `npm run bench`: every section in one run, one after another, but for those that last. Names on the command line choose sections. */
import { benchBundle } from './bundle.ts';
import { benchCounter } from './counter.ts';
import { benchDesk } from './desk.ts';
import { benchDrain } from './drain.ts';
import { benchExports } from './exports.ts';
import { benchLoad } from './load.ts';
import { benchMoney } from './money.ts';
import { benchOpening } from './opening.ts';
import { benchReports } from './reports.ts';
import { benchStock } from './stock.ts';
import { benchSync } from './sync/compare.ts';

const sections: Record<string, () => Promise<void>> = { bundle: benchBundle, counter: benchCounter, opening: benchOpening, sync: benchSync, drain: benchDrain, stock: benchStock, exports: benchExports, desk: benchDesk, reports: benchReports, money: benchMoney, load: benchLoad };
/** They are measured where they are asked for. */
const long = ['load'];

const wanted = process.argv.slice(2);
for (const [name, section] of Object.entries(sections)) {
  if (wanted.length === 0 ? !long.includes(name) : wanted.includes(name)) await section();
}
