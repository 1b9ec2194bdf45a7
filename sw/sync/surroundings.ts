/** What the engine is given instead of reaching for it, so that a test owns time, chance and the network. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, if the process lives that long. Returns what calls it off. */
  after(delayMs: number, wake: () => void): () => void;
}

/** At least 0, below 1. */
export type Random = () => number;

/** Does the work unless somebody else holds the lock; says whether it did. */
export type Lock = (work: () => Promise<void>) => Promise<boolean>;
