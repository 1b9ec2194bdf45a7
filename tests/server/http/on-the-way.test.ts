/** What waits for somebody outside is bounded, for each person and in all. */
import { expect, test } from 'vitest';
import { BytesOnTheWay } from '#server/http/on-the-way.ts';

const bounded = () => new BytesOnTheWay({ ofOne: 100, ofAll: 150 });

test('one person has no more on the way than one may have', () => {
  const bytes = bounded();
  bytes.add('a', 60);
  expect([bytes.hasRoomFor('a', 40), bytes.hasRoomFor('a', 41)]).toEqual([true, false]);
});

test('who has something on the way gets no more of it beyond what all may have, and anybody else gets a first', () => {
  const bytes = bounded();
  bytes.add('a', 90);
  bytes.add('b', 50);
  expect([bytes.hasRoomFor('b', 10), bytes.hasRoomFor('b', 11)]).toEqual([true, false]);
  expect(bytes.hasRoomFor('c', 1000)).toBe(true);
});

test('nothing is too long for who has nothing else on the way but a part of the same', () => {
  const bytes = bounded();
  bytes.add('a', 90);
  expect([bytes.hasRoomFor('a', 50, 90), bytes.hasRoomFor('a', 50, 10)]).toEqual([true, false]);
});

test('what has arrived makes room again', () => {
  const bytes = bounded();
  bytes.add('a', 100);
  bytes.add('b', 50);
  expect(bytes.hasRoomFor('b', 10)).toBe(false);
  bytes.add('a', -100);
  expect([bytes.hasRoomFor('b', 50), bytes.hasRoomFor('a', 101)]).toEqual([true, true]);
});
