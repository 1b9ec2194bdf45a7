/** The rules of a PIN, which unlocks one device for one user. */
import type { Problem } from '../problems.ts';

export const pinDigits = { min: 4, max: 6 } as const;

/** True when all digits have the same distance, such as 0000, 1234, 9876 or 2468. */
function isSequence(pin: string): boolean {
  const steps = pin
    .split('')
    .slice(1)
    .map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10);
  return steps.every((step) => step === steps[0]);
}

/** True for a repeated group of digits, such as 1212 or 123123, and for repeated pairs, such as 1122. */
const isRepetition = (pin: string): boolean => /^(.+)\1+$/.test(pin) || /^((.)\2)+$/.test(pin);

export function pinProblem(pin: string): Problem | undefined {
  if (!/^\d+$/.test(pin) || pin.length < pinDigits.min || pin.length > pinDigits.max) return 'PIN_UNFIT';
  return isSequence(pin) || isRepetition(pin) ? 'PIN_EASY' : undefined;
}
