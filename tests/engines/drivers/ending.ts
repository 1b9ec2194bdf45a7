/** The end of a browser. */
import type { ChildProcess } from 'node:child_process';
import { killTree } from '#tests/kill/processes.ts';

/** A browser that is killed answers no more, so nothing waits for it. */
export class BrowserEnded extends Error {
  constructor(reason = '') {
    super(`The browser has ended${reason && `: ${reason}`}.`);
  }
}

/** Kills a process that this one has started, with its descendants, unless it has ended: its number may be another's by now. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await killTree(child.pid!);
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
