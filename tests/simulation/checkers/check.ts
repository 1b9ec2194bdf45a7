/**
 * Judges a history when all has come to rest. It knows the rules by their words and adds up by itself: nothing of the
 * product's own reducers or readers is used, so a mistake there cannot hide itself here.
 */
import { checkDrawers } from './drawers.ts';
import { checkOperations } from './operations.ts';
import { checkOrders } from './orders.ts';
import { checkOutages } from './outages.ts';
import { checkDocuments } from './documents.ts';
import { checkReplacements } from './replacements.ts';
import { checkStock } from './stock.ts';
import { checkTablets } from './tablets.ts';
import { buildFinalState, readServerState, readTabletState } from './final-state.ts';
import { marksOfState } from './coverage-marks.ts';
import type { Simulation } from '../simulation.ts';

export async function audit(simulation: Simulation): Promise<string[]> {
  const { clinic, clientLog, tablets, scheduler } = simulation;
  const found = buildFinalState(await readServerState(clinic), await Promise.all(tablets.map(readTabletState)));
  for (const mark of marksOfState(found)) scheduler.history.count(`reached ${mark}`);
  return [
    ...checkOperations(found, simulation),
    ...checkOrders(found, clientLog, clinic),
    ...checkStock(found, clinic),
    ...checkDocuments(found, clientLog),
    ...checkTablets(found),
    ...checkReplacements(found),
    ...checkOutages(found),
    ...(await checkDrawers(found, clinic)),
  ];
}
