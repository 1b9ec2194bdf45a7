/** Checks that honest work raises nothing odd: no tablet of a history invents prices, sums, numbers or dates. */
import type { FinalState, SettledRun } from './final-state.ts';

const ofMoney = ['price_differs', 'sum_differs', 'currency_differs', 'change_high'];
/** A restored server has forgotten codes that it granted, and that documents carry. */
const ofNumbers = ['number_foreign', 'number_jump', 'sequence_jump'];
/** A clock that jumped tells a wrong time until the next contact. */
const ofTime = ['backdated', 'clock_wrong'];

export function checkOddFacts({ server, tablets }: FinalState, { wasRestored }: SettledRun): string[] {
  const hasJumped = tablets.some(({ tablet }) => tablet.hasJumped);
  const unexpected = new Set([...ofMoney, ...(wasRestored ? [] : ofNumbers), ...(hasJumped ? [] : ofTime)]);
  return server.attention
    .filter(({ kind }) => unexpected.has(kind))
    .map(({ kind, op_id, details }) => `honest ${op_id} raised ${kind}: ${JSON.stringify(details)}`);
}
