/**
 * A seeded source of randomness. Each user has its own stream, so that a new draw does not change the other streams.
 */
export interface Random {
  /** Returns a number of at least 0 and below 1. */
  next(): number;
  /** Returns an integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number;
  happens(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Returns one of the keys, with a probability in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K;
  bytes(count: number): Uint8Array;
}

export function seededRandom(seed: number, stream: string): Random {
  const next = generator(`${seed}/${stream}`);
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
    weighted: (weights) => {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return (entries.find(([, weight]) => (rest -= weight) < 0) ?? entries.at(-1)!)[0];
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => between(0, 255)),
  };
}

/** Returns an sfc32 generator, seeded with a hash of the text. */
function generator(text: string): () => number {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  for (let index = 0; index < text.length; index++) {
    a = Math.imul(a ^ text.charCodeAt(index), 2_654_435_761);
    b = Math.imul(b ^ (a >>> 15), 1_597_334_677);
    c = Math.imul(c ^ (b >>> 13), 2_869_860_233);
  }
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
