/**
 * Knows whose work the event loop does, so that whoever holds it can be named. A stretch of work begins when a request comes in, when
 * its turn has come, and at each answer that it has waited for; it ends when another begins, or when the loop goes round.
 */

/** Somebody whose work may hold the event loop. */
export interface Work {
  /** Called after each stretch that took longer than everybody else should wait. */
  held: (ms: number) => void;
}

const patienceMs = 100;

let doing: Work | null = null;
let sinceMs = 0;
let isEndPlanned = false;

/** Begins a stretch of somebody's work. */
export function workFor(work: Work): void {
  end();
  doing = work;
  sinceMs = performance.now();
  if (isEndPlanned) return;
  isEndPlanned = true;
  setImmediate(() => {
    isEndPlanned = false;
    end();
  });
}

function end(): void {
  if (doing === null) return;
  const work = doing;
  doing = null;
  const ms = performance.now() - sinceMs;
  if (ms > patienceMs) work.held(ms);
}

/** Returns an answer that whoever works now waits for: with it their work goes on. */
export function keepWork<T>(answer: Promise<T>): Promise<T> {
  const work = doing;
  return work === null ? answer : answer.finally(() => workFor(work));
}
