/** Chance with a seed that is printed, so that a run which fails can be thrown again. Moments repeat; the machine's own pace does not. */
import { createHash } from 'node:crypto';

export interface Dice {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True once in `sides` throws. */
  once(sides: number): boolean;
}

export const rounds = Number(process.env['KILL_ROUNDS'] ?? 5);

/** @param name tells the tests of one run apart, which share its seed */
export function dice(name: string): Dice {
  const seed = process.env['KILL_SEED'] ?? String(Date.now() % 1_000_000);
  console.log(`${name}: KILL_SEED=${seed} KILL_ROUNDS=${rounds}`);
  let state = createHash('sha256').update(`${name} ${seed}`).digest().readUInt32BE();
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { between, once: (sides) => between(1, sides) === 1 };
}
