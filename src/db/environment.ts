/** Time and randomness as commands get them, so that tests and simulations can own both. */
export interface Environment {
  /** Milliseconds since 1970 by the device's clock. */
  now(): number;
  /** Fresh random bytes. */
  random(bytes: number): Uint8Array;
}

export const browserEnvironment: Environment = {
  now: () => Date.now(),
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
};
