/**
 * Names and ids that nobody draws. A count makes them unique within a process, so that they differ also when two are made in the same
 * millisecond, and so that they sort as they are made: no order in a test is a matter of luck.
 */
import { uuidV7 } from '#domain/uuid.ts';

let made = 0;

/** Returns `prefix` with a number that nothing else of this process has. */
export const unique = (prefix: string): string => `${prefix}-${(made += 1)}`;

/** Returns an id as devices make them. The process id tells apart those of two processes. */
export function newId(): string {
  made += 1;
  const count = [(made >>> 22) << 4, made >>> 14, made >>> 8, made];
  const maker = [process.pid >>> 24, process.pid >>> 16, process.pid >>> 8, process.pid, 0, 0];
  return uuidV7(Date.now(), Uint8Array.from([...count, ...maker]));
}
