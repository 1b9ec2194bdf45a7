/** The rules of a PIN, which opens the lock of one device for one person. */
import type { Problem } from '../problems.ts';

export const pinDigits = { min: 4, max: 6 } as const;

/** Every digit the same step from the one before, such as 0000, 1234, 9876 or 2468. */
function isSequence(pin: string): boolean {
  const steps = pin
    .split('')
    .slice(1)
    .map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10);
  return steps.every((step) => step === steps[0]);
}

/** The same group of digits over and over, such as 1212 or 123123, or pairs of one digit, such as 1122. */
const isRepetition = (pin: string): boolean => /^(.+)\1+$/.test(pin) || /^((.)\2)+$/.test(pin);

/** What is wrong with a PIN that somebody chooses; undefined when nothing is. */
export function pinProblem(pin: string): Problem | undefined {
  if (!/^\d+$/.test(pin) || pin.length < pinDigits.min || pin.length > pinDigits.max) return 'PIN_UNFIT';
  return isSequence(pin) || isRepetition(pin) ? 'PIN_EASY' : undefined;
}
