import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HashingBusy, HashingQueue } from '#server/modules/users/hashing-queue.ts';
import { networkOf } from '#server/http/networks.ts';

describe('the queue of hashes', () => {
  const held = () => {
    const done: string[] = [];
    const ends: (() => void)[] = [];
    const hash = (name: string) => () =>
      new Promise<void>((resolve) => {
        ends.push(() => {
          done.push(name);
          resolve();
        });
      });
    return { done, ends, hash };
  };

  test('runs two at once, urgent ones first, and each in the order of arrival', async () => {
    const queue = new HashingQueue();
    const { done, ends, hash } = held();
    const all = [
      ...['a', 'b', 'c', 'd'].map((name) => queue.run('last', hash(name))),
      ...['E', 'F'].map((name) => queue.run('first', hash(name))),
    ];
    for (let n = 0; n < 6; n++) {
      expect(ends.length).toBe(Math.min(n + 2, 6));
      ends[n]!();
      await turn();
    }
    await Promise.all(all);
    expect(done).toEqual(['a', 'b', 'E', 'F', 'c', 'd']);
  });

  test('refuses at once when 250 wait, and accepts again afterwards', async () => {
    const queue = new HashingQueue();
    const { ends, hash } = held();
    const all = Array.from({ length: 252 }, () => queue.run('last', hash('x')));
    await expect(queue.run('first', hash('x'))).rejects.toThrow(HashingBusy);
    for (let n = 0; n < 252; n++) {
      ends[n]!();
      await turn();
    }
    await Promise.all(all);
    expect(await queue.run('first', async () => 'hashed')).toBe('hashed');
  });

  test('passes a failed hash on and runs the next one', async () => {
    const queue = new HashingQueue();
    await expect(queue.run('first', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run('last', async () => 'hashed')).toBe('hashed');
  });
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is counted as the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
