/** The rules of a PIN, which unlocks one device for one user. */
import type { Problem } from '../problems.ts';

/** Six digits, because a copy of the device can be tried offline: four fall in an hour. */
export const pinDigits = { min: 6, max: 8 } as const;

/** True when all digits have the same distance, such as 0000, 1234, 9876 or 2468. */
function isSequence(pin: string): boolean {
  const steps = pin
    .split('')
    .slice(1)
    .map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10);
  return steps.every((step) => step === steps[0]);
}

/** True for a repeated group of digits, such as 1212 or 123123, and for repeated pairs, such as 1122. */
function isRepetition(pin: string): boolean {
  // What repeats a group is found in its double before the second begins.
  const again = (pin + pin).indexOf(pin, 1);
  return again < pin.length || /^((.)\2)+$/.test(pin);
}

/** True for a date of the last and this century: DDMMYYYY, MMDDYYYY, YYYYMMDD, or DDMMYY, MMDDYY, YYMMDD. */
function isDate(pin: string): boolean {
  const isYear = (year: string) => year.length === 2 || /^(19|20)/.test(year);
  const isDay = (first: string, second: string) =>
    [first, second].every((part) => Number(part) >= 1 && Number(part) <= 31) &&
    Math.min(Number(first), Number(second)) <= 12;
  const yearDigits = pin.length - 4;
  if (yearDigits !== 2 && yearDigits !== 4) return false;
  const [a, b] = [pin.slice(0, 2), pin.slice(2, 4)];
  const [c, d] = [pin.slice(-4, -2), pin.slice(-2)];
  return (isDay(a, b) && isYear(pin.slice(4))) || (isDay(c, d) && isYear(pin.slice(0, yearDigits)));
}

export function pinProblem(pin: string): Problem | undefined {
  if (!/^\d+$/.test(pin) || pin.length < pinDigits.min || pin.length > pinDigits.max) return 'PIN_UNFIT';
  return isSequence(pin) || isRepetition(pin) || isDate(pin) ? 'PIN_EASY' : undefined;
}

/** The tenth wrong PIN in a row removes it from the tablet. */
export const pinAttempts = 10;
