/** `npm run bench`: every section in one run, one after another. Names on the command line choose sections. */
import { benchCounter } from './counter.ts';
import { benchDesk } from './desk.ts';
import { benchDrain } from './drain.ts';
import { benchExports } from './exports.ts';
import { benchReports } from './reports.ts';
import { benchStock } from './stock.ts';
import { benchSync } from './sync/compare.ts';

const sections: Record<string, () => Promise<void>> = { counter: benchCounter, sync: benchSync, drain: benchDrain, stock: benchStock, exports: benchExports, desk: benchDesk, reports: benchReports };

const wanted = process.argv.slice(2);
for (const [name, section] of Object.entries(sections)) {
  if (wanted.length === 0 || wanted.includes(name)) await section();
}
