/** A display in memory, for engines that need a window. */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Display {
  /** Of the environment variable DISPLAY. */
  name: string;
  close: () => void;
}

/** Starts Xvfb under a number that is free. */
export async function openDisplay(): Promise<Display> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1300x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    (child.stdio[3] as Readable).once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('error', reject);
    child.once('exit', () => reject(new Error('Xvfb has ended.')));
  });
  return { name: `:${number}`, close: () => void child.kill() };
}
