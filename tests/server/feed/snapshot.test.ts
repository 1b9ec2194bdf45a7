import { describe, expect, test } from 'vitest';
import { endingWith, isSnapshot, lowestUnseen } from '../../../server/modules/feed/snapshot.ts';

describe('a snapshot that ends with the last transaction that left a row', () => {
  test('forgets the numbers above it, which a crash may give to others', () => {
    expect(endingWith('12', '20:20:')).toBe('13:13:');
    expect(endingWith('0', '20:20:')).toBe('1:1:');
  });

  test('goes on missing those that were running below it, and only those', () => {
    expect(endingWith('12', '10:20:10,11,15')).toBe('10:13:10,11');
    expect(lowestUnseen(endingWith('12', '10:20:10,11,15'))).toBe('10');
    // Whoever still ran then had left nothing that was seen; nor has a number between.
    expect(endingWith('12', '15:20:15')).toBe('13:13:');
  });

  test('is what it was where the last transaction of all has left one', () => {
    expect(endingWith('19', '10:20:10,11')).toBe('10:20:10,11');
  });

  test.each(['20:20:', '10:20:10,11,15', '15:20:15'])('is one that the database takes: of %s', (snapshot) => {
    expect(['0', '9', '12', '15', '19'].map((last) => endingWith(last, snapshot)).every(isSnapshot)).toBe(true);
  });
});
