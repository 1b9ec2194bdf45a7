/** The length and the randomness of a kill test. KILL_ROUNDS sets the number of rounds, KILL_SEED repeats the random choices of an earlier run. */
import { runSeed } from '../support/fixed-run/fixed-run.ts';
import { seededRandom } from '../support/random.ts';
import type { Random } from '../support/random.ts';

export const rounds = Number(process.env['KILL_ROUNDS'] ?? 2);

/**
 * Creates the randomness of one test and prints how to repeat it. A seed repeats which process is killed and when; it does not
 * repeat how fast the machine runs.
 *
 * @param test separates the streams of tests that share the seed of a run
 */
export function printedRandom(test: string): Random {
  const seed = Number(process.env['KILL_SEED'] ?? runSeed);
  console.log(`${test}: repeat with KILL_SEED=${seed} KILL_ROUNDS=${rounds}`);
  return seededRandom(seed, test);
}
