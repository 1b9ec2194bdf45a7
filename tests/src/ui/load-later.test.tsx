import { chakra } from '@chakra-ui/react';
import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { loadLater, loadPlain } from '#src/ui/load-later.tsx';
import type { LoadedLater } from '#src/ui/load-later.tsx';

const Greeting = ({ name }: { name: string }) => <p>{`Good morning, ${name}`}</p>;

const drawn = (Later: LoadedLater<{ name: string }>) =>
  renderToString(
    <Suspense fallback="a moment">
      <Later name="Ana" />
    </Suspense>,
  );

test('renders the fallback while its code loads', () => {
  expect(drawn(loadPlain(async () => Greeting))).toContain('a moment');
});

test('renders at once when its code was loaded before', async () => {
  const Later = loadPlain(async () => Greeting);
  await Later.load();
  expect(drawn(Later)).toBe('<!--$--><p>Good morning, Ana</p><!--/$-->');
});

test('requests its code again after a failure', async () => {
  const fetchCode = vi
    .fn<() => Promise<typeof Greeting>>()
    .mockRejectedValueOnce(new Error('no network'))
    .mockResolvedValue(Greeting);
  const Later = loadPlain(fetchCode);
  await expect(Later.load()).rejects.toThrow('no network');
  await Later.load();
  expect(drawn(Later)).toContain('Good morning');
});

test('lets the components of Chakra use the theme', async () => {
  const Later = loadLater(async () => ({ name }: { name: string }) => <chakra.p color="fg.muted">{name}</chakra.p>);
  await Later.load();
  expect(drawn(Later)).toContain('color:var(--chakra-colors-fg-muted)');
});

test('adds no global styles, which would style the whole page again', async () => {
  const Later = loadLater(async () => Greeting);
  await Later.load();
  expect(drawn(Later)).not.toContain('@layer');
});
