import { expect, test, vi } from 'vitest';
import { runOnAllCores } from './parallel-run.ts';

test('a worker that ends early is reported with its seed and its error', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const failing = new URL('failing-worker.mjs', import.meta.url);
  expect(await runOnAllCores({ from: 41, count: 1 }, failing)).toBe(1);
  const text = printed.mock.calls.flat().join('\n');
  printed.mockRestore();
  expect(text).toContain('A worker ended with 1, in seed 42.');
  expect(text).toContain('The disk of the tablet is gone');
  expect(text).toContain('npm run sim -- --seed 42');
});
