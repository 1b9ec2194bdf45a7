/** The engine's ports: clock, randomness, network and lock are injected, so that a test controls them. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `wake` once after the delay, if the process lives that long. Returns a function that cancels the call. */
  after(delayMs: number, wake: () => void): () => void;
}

/** Returns a number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Runs the work if the lock is free. Resolves to false, without running the work, while another holder has the lock. */
export type Lock = (work: () => Promise<void>) => Promise<boolean>;

export interface Call {
  method: 'GET' | 'POST';
  /** The path under `/api`, with its query. */
  path: string;
  token: string;
  /** JSON text. */
  body?: string;
}

/** An HTTP response; null when no response arrived before the timeout. */
export type NetResponse = {
  status: number;
  /** The parsed body; undefined when it is not a JSON object. */
  json: unknown;
  retryAfterMs: number | null;
} | null;

export type Net = (call: Call) => Promise<NetResponse>;
