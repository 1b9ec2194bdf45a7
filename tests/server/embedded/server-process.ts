import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface OwnerEvent {
  connectionString?: string;
  present?: number[];
  acknowledged?: number;
  refused?: string;
  message?: string;
}

/** `owner-process.ts` in a process group of its own. */
export class OwnerProcess {
  readonly child: ChildProcess;
  readonly events: OwnerEvent[] = [];
  private hasEnded = false;
  private readonly changed = new EventTarget();

  constructor(dataDir: string, options: { mode?: 'write'; uid?: number; gid?: number; env?: NodeJS.ProcessEnv } = {}) {
    const { mode, env, ...account } = options;
    const script = fileURLToPath(new URL('owner-process.ts', import.meta.url));
    this.child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script, dataDir, mode ?? 'hold'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
      ...account,
    });
    const lines = createInterface({ input: this.child.stdout! });
    lines.on('line', (line) => {
      this.events.push(JSON.parse(line) as OwnerEvent);
      this.changed.dispatchEvent(new Event('change'));
    });
    lines.once('close', () => {
      this.hasEnded = true;
      this.changed.dispatchEvent(new Event('change'));
    });
  }

  /** Returns the first value that the function returns for an event. */
  async first<T>(ask: (event: OwnerEvent) => T | undefined): Promise<T> {
    for (;;) {
      for (const event of this.events) {
        const answer = ask(event);
        if (answer !== undefined) return answer;
      }
      if (this.hasEnded) throw new Error(`The owner ended: ${JSON.stringify(this.events.at(-1))}`);
      await once(this.changed, 'change');
    }
  }

  /** Kills the Node process only, without any cleanup. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode, stdout } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const closed = stdout?.closed ? undefined : once(this.child, 'close');
    process.kill(-pid, 'SIGKILL');
    await closed;
  }
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8'));
}

/** Kills all processes of PostgreSQL, as a power failure would, and leaves its files unchanged. */
export async function killPostgres(postmaster: number): Promise<void> {
  for (const pid of [postmaster, ...(await childrenOf(postmaster))]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process ended by itself after its parent.
    }
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return { pid: Number(pid), parent: Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]) };
    }),
  );
  return parents.filter((process) => process.parent === parent).map(({ pid }) => pid);
}
