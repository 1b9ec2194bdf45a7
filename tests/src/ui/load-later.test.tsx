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

test('draws its fallback first where its code is not there yet', () => {
  expect(drawn(loadLater(async () => Greeting))).toContain('a moment');
});

test('is drawn at once where its code was asked for in time', async () => {
  const Later = loadLater(async () => Greeting);
  await Later.load();
  expect(drawn(Later)).toBe('<!--$--><p>Good morning, Ana</p><!--/$-->');
});

test('asks again for code that could not be had', async () => {
  const fetchCode = vi
    .fn<() => Promise<typeof Greeting>>()
    .mockRejectedValueOnce(new Error('no network'))
    .mockResolvedValue(Greeting);
  const Later = loadLater(fetchCode);
  await expect(Later.load()).rejects.toThrow('no network');
  await Later.load();
  expect(drawn(Later)).toContain('Good morning');
});
