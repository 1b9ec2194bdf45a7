import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { loadLater } from '../../../src/ui/load-later.tsx';
import type { LoadedLater } from '../../../src/ui/load-later.tsx';

const Greeting = ({ name }: { name: string }) => <p>{`Good morning, ${name}`}</p>;

const drawn = (Later: LoadedLater<{ name: string }>) =>
  renderToString(
    <Suspense fallback="a moment">
      <Later name="Ana" />
    </Suspense>,
  );

test('renders the fallback while its code loads', () => {
  expect(drawn(loadLater(async () => Greeting))).toContain('a moment');
});

test('renders at once when its code was loaded before', async () => {
  const Later = loadLater(async () => Greeting);
  await Later.load();
  expect(drawn(Later)).toBe('<!--$--><p>Good morning, Ana</p><!--/$-->');
});

test('requests its code again after a failure', async () => {
  const fetchCode = vi
    .fn<() => Promise<typeof Greeting>>()
    .mockRejectedValueOnce(new Error('no network'))
    .mockResolvedValue(Greeting);
  const Later = loadLater(fetchCode);
  await expect(Later.load()).rejects.toThrow('no network');
  await Later.load();
  expect(drawn(Later)).toContain('Good morning');
});
