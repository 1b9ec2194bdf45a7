/** Ends processes without warning: those that a test has started, by number, with all that they have started. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A leader of its own group, as browsers are started, takes the group along. */
export async function killGroup(leader: number): Promise<void> {
  await killAndWait(-leader);
}

/** PostgreSQL's processes leave their parent's group, so they are counted before any is killed. */
export async function killTree(pid: number): Promise<void> {
  const family = [pid, ...(await descendants(pid))];
  await Promise.all(family.map(killAndWait));
}

/** What a process has started and what runs still. */
export async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').map(Number).filter(Boolean);
}

async function descendants(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

async function killAndWait(target: number): Promise<void> {
  while (signal(target)) await sleep(20);
}

/** @returns whether there was anybody to signal */
function signal(target: number): boolean {
  try {
    process.kill(target, 'SIGKILL');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
