/** Seeded pseudo-randomness (mulberry32), so that the demo clinic is the same each time. Not for secrets. */
export class SeededRandom {
  constructor(private state: number) {}

  /** From 0 up to but not including 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer of the range, both ends included. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)]!;
  }

  /** Returns one of the options, with a probability proportional to its weight. */
  weighted<T>(options: readonly (readonly [option: T, weight: number])[]): T {
    let left = this.next() * options.reduce((sum, [, weight]) => sum + weight, 0);
    return (options.find(([, weight]) => (left -= weight) < 0) ?? options[0]!)[0];
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.between(0, 255));
  }
}
