/** Background jobs. A job runs once at a time; a failed run is reported and repeated at the next interval. */

export interface IntervalJob {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

export interface IntervalJobOptions {
  everyMs: number;
  /** Delay of the first run; 0 by default. */
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
