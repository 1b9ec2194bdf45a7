/**
 * What only the long run does. `npm run test:long` sets TEST_LONG=1 and runs the test files that import this module; `npm test`
 * runs the same tests with a smaller number.
 */
export const isLongRun = process.env['TEST_LONG'] === '1';

/** Returns how often a test repeats something, or how much it draws. */
export const inLongRun = <T>(long: T, { otherwise }: { otherwise: T }): T => (isLongRun ? long : otherwise);
