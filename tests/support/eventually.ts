import { vi } from 'vitest';

/** Waits until the expectation holds. Fails after a time that only what hangs needs. */
export const eventually = (expectation: () => void): Promise<void> =>
  vi.waitFor(expectation, { timeout: 20_000, interval: 5 });
