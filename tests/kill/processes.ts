/** Kills processes that a test started, with their descendants, by SIGKILL. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kills a process group by its leader. Browsers run in a group of their own. */
export async function killGroup(leader: number): Promise<void> {
  await killAndWait(-leader);
}

/** Kills a process and its descendants. PostgreSQL's processes leave the group, so the descendants are listed before the first kill. */
export async function killTree(pid: number): Promise<void> {
  const tree = [pid, ...(await descendants(pid))];
  await Promise.all(tree.map(killAndWait));
}

/** Returns the ids of the running children of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').map(Number).filter(Boolean);
}

/** Returns the ids of the running children of a process, and of theirs. */
export async function descendants(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

async function killAndWait(target: number): Promise<void> {
  while (sendSignal(target, 'SIGKILL')) await sleep(20);
}

/** Sends a signal. @returns false if the process no longer exists */
export function sendSignal(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
