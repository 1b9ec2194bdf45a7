/**
 * Checks the invariants of a history after it has settled. The checkers know the rules by their specification and add up by
 * themselves. They use none of the product's own reducers or readers, so a mistake there cannot hide itself.
 */
import { marksOfState } from './coverage-marks.ts';
import { checkDocuments } from './documents.ts';
import { checkDrawers } from './drawers.ts';
import { checkFiscal } from './fiscal.ts';
import { buildFinalState, readServerState, readTabletState } from './final-state.ts';
import type { FinalState, SettledRun } from './final-state.ts';
import { checkLedger } from './ledger.ts';
import { checkOddFacts } from './odd-facts.ts';
import { checkOperations, checkReplacements } from './operations.ts';
import { checkOrders } from './orders.ts';
import { checkOutages } from './outages.ts';
import { checkPatients } from './patients.ts';
import { checkStock } from './stock.ts';
import { checkTablets } from './tablets.ts';

export interface Checked {
  final: FinalState;
  /** Empty when every invariant holds. */
  violations: string[];
}

export async function checkFinalState(run: SettledRun): Promise<Checked> {
  const { clinic, clientLog, tablets, scheduler } = run;
  const final = buildFinalState(await readServerState(clinic), await Promise.all(tablets.map(readTabletState)));
  for (const mark of marksOfState(final)) scheduler.history.count(`reached ${mark}`);
  const violations = [
    ...checkOperations(final, run),
    ...checkOrders(final, clientLog, clinic),
    ...checkStock(final, clinic),
    ...checkDocuments(final, clientLog),
    ...checkFiscal(final, run),
    ...checkOddFacts(final, run),
    ...checkTablets(final),
    ...checkPatients(final, run),
    ...checkReplacements(final),
    ...checkOutages(final),
    ...(await checkLedger(final, clinic)),
    ...(await checkDrawers(final, clinic)),
  ];
  return { final, violations };
}
