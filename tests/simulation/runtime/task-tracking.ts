/**
 * Counts the tasks of fake-indexeddb, which runs each step as a separate task. All tasks of one event must finish before the
 * next event starts, or a seed would not repeat its history. Nothing here waits for real time.
 *
 * Import this module before Dexie: with a BroadcastChannel, Dexie would announce every write to the other tablets of the process.
 */
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

const setRealImmediate = globalThis.setImmediate;
const clearRealImmediate = globalThis.clearImmediate;
const counted = new Set<NodeJS.Immediate>();
let outstanding = 0;

function countedImmediate<T extends unknown[]>(task: (...values: T) => void, ...values: T): NodeJS.Immediate {
  outstanding += 1;
  const handle = setRealImmediate(() => {
    counted.delete(handle);
    outstanding -= 1;
    task(...values);
  });
  counted.add(handle);
  return handle;
}

globalThis.setImmediate = countedImmediate as typeof globalThis.setImmediate;
globalThis.clearImmediate = (handle) => {
  if (typeof handle === 'object' && counted.delete(handle)) outstanding -= 1;
  clearRealImmediate(handle);
};

/** Resolves when no task is outstanding and every promise that a task settled has run. */
export async function untilIdle(): Promise<void> {
  do {
    // oxlint-disable-next-line no-await-in-loop -- The loop waits for tasks in sequence.
    await new Promise((resolve) => {
      setRealImmediate(resolve);
    });
  } while (outstanding > 0);
}
