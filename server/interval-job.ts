/** Work that is done over and over beside the requests: one round at a time, and one that fails is made again at the next turn. */

export interface IntervalJob {
  /** Resolves when a round that is under way has ended. */
  stop(): Promise<void>;
}

export interface IntervalJobOptions {
  everyMs: number;
  /** The first round; at once unless said. */
  firstAfterMs?: number;
  onFault: (error: unknown) => void;
}

export function startIntervalJob(
  work: () => Promise<void>,
  { everyMs, firstAfterMs = 0, onFault }: IntervalJobOptions,
): IntervalJob {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  function turn(afterMs: number): void {
    if (isOver) return;
    timer = setTimeout(() => {
      running = work()
        .catch(onFault)
        .then(() => turn(everyMs));
    }, afterMs);
    timer.unref();
  }
  turn(firstAfterMs);
  return {
    async stop() {
      isOver = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
