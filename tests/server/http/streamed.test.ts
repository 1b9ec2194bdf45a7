import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { streamed } from '#server/http/streamed.ts';

test('SECURITY a stream makes no further piece before its reader has taken the last one', async () => {
  let made = 0;
  const pieces = async function* (): AsyncGenerator<string> {
    for (; made < 50; made += 1) yield 'x'.repeat(1_000_000);
  };
  const stream = streamed(pieces());
  stream.once('readable', () => undefined);
  await after(50);
  expect(made).toBeLessThanOrEqual(2);
  let bytes = 0;
  for await (const part of stream) bytes += (part as Buffer).length;
  expect([made, bytes]).toEqual([50, 50_000_000]);
});
