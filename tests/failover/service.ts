/** A program of the operating system in the foreground, with its output in a file. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from '#server/db/embedded/account.ts';
import { killTree } from '../kill/processes.ts';

/** Where programs keep their files, and the account that runs them. */
export interface Site {
  folder: string;
  account: Account | undefined;
}

export class Service {
  private child: ChildProcess | null = null;

  constructor(
    private readonly site: Site,
    private readonly name: string,
    private readonly command: readonly [program: string, ...args: string[]],
  ) {}

  /** Process id while the program runs. */
  get pid(): number | undefined {
    return this.child?.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined;
  }

  start(): void {
    const output = openSync(this.logFile, 'a');
    const [program, ...args] = this.command;
    this.child = spawn(program, args, {
      ...this.site.account,
      cwd: this.site.folder,
      env: { ...process.env, HOME: this.site.folder },
      stdio: ['ignore', output, output],
      // A group of its own: Ctrl+C reaches only the test, which ends its programs itself.
      detached: true,
    });
    this.child.on('error', (error) => console.error(`${this.name} does not start: ${error.message}`));
    closeSync(output);
  }

  async kill(): Promise<void> {
    if (this.pid !== undefined) await killTree(this.pid);
    this.child = null;
  }

  /** Returns the end of the output, for the message of a failure. */
  async lastWords(): Promise<string> {
    const text = await readFile(this.logFile, 'utf8').catch(() => '');
    return `${this.name}:\n${text.split('\n').slice(-15).join('\n')}`;
  }

  private get logFile(): string {
    return path.join(this.site.folder, `${this.name}.log`);
  }
}
