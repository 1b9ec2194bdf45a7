/** Checks that honest work raises nothing odd: no tablet of a history invents prices, sums, numbers or dates. */
import type { FinalState, SettledRun } from './final-state.ts';

const ofMoney = ['price_differs', 'currency_differs', 'change_high'];
/**
 * A restored server has forgotten codes that it granted, and that documents carry, and services of one tablet that an
 * invoice of another one bills: the invoice may be sent again before them, and days later.
 */
const ofForgotten = ['number_foreign', 'number_jump', 'sequence_jump', 'sum_differs', 'backdated'];
/** A clock that jumped tells a wrong time until the next contact. */
const ofTime = ['backdated', 'clock_wrong'];
/** Two copies of one storage report as one device: one has sent all its work while the other holds older work back. */
const ofClones = ['backdated'];

export function checkOddFacts({ server, tablets }: FinalState, { wasRestored }: SettledRun): string[] {
  const hasJumped = tablets.some(({ tablet }) => tablet.hasJumped);
  const hasClone = tablets.some(({ tablet }) => tablet.isClone);
  const isExpected = (kind: string) =>
    (wasRestored && ofForgotten.includes(kind)) ||
    (hasJumped && ofTime.includes(kind)) ||
    (hasClone && ofClones.includes(kind));
  const isOdd = (kind: string) => [...ofMoney, ...ofForgotten, ...ofTime].includes(kind);
  return server.attention
    .filter(({ kind }) => isOdd(kind) && !isExpected(kind))
    .map(({ kind, op_id, details }) => `honest ${op_id} raised ${kind}: ${JSON.stringify(details)}`);
}
