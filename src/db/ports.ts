/** Time and randomness for commands, injected so that tests and simulations control both. */
export interface Ports {
  /** Milliseconds since 1970 by the device's clock. */
  now(): number;
  /** Returns fresh random bytes. */
  random(bytes: number): Uint8Array;
}

export const browserPorts: Ports = {
  now: () => Date.now(),
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
};
