/**
 * IndexedDB in memory runs each step as a task of its own. Whoever wants the same history twice must let one event's tasks
 * all finish before the next event begins: so they are counted. Nothing here waits for real time.
 *
 * To be imported before Dexie: it would otherwise tell the other tablets of this process about every write.
 */
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

const later = globalThis.setImmediate;
const callOff = globalThis.clearImmediate;
const counted = new Set<NodeJS.Immediate>();
let outstanding = 0;

function countedImmediate<T extends unknown[]>(task: (...values: T) => void, ...values: T): NodeJS.Immediate {
  outstanding += 1;
  const handle = later(() => {
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
  callOff(handle);
};

/** Resolves when no task is left, and no promise that a task could have settled. */
export async function untilIdle(): Promise<void> {
  do {
    // oxlint-disable-next-line no-await-in-loop -- Waiting is the point.
    await new Promise((resolve) => {
      later(resolve);
    });
  } while (outstanding > 0);
}
