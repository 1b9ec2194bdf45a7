import { describe, expect, test } from 'vitest';
import { endingWith, isSnapshot, lowestUnseen } from '#server/modules/feed/snapshot.ts';

describe('a snapshot cut off after the last transaction that wrote a row', () => {
  test('drops higher transaction ids, which PostgreSQL may reuse after a crash', () => {
    expect(endingWith('12', '20:20:')).toBe('13:13:');
    expect(endingWith('0', '20:20:')).toBe('1:1:');
  });

  test('keeps only the running transactions with lower ids', () => {
    expect(endingWith('12', '10:20:10,11,15')).toBe('10:13:10,11');
    expect(lowestUnseen(endingWith('12', '10:20:10,11,15'))).toBe('10');
    // A transaction that was still running, or rolled back, has no visible row.
    expect(endingWith('12', '15:20:15')).toBe('13:13:');
  });

  test('is unchanged when the newest transaction wrote a row', () => {
    expect(endingWith('19', '10:20:10,11')).toBe('10:20:10,11');
  });

  test.each(['20:20:', '10:20:10,11,15', '15:20:15'])('is accepted by PostgreSQL when made from %s', (snapshot) => {
    expect(['0', '9', '12', '15', '19'].map((last) => endingWith(last, snapshot)).every(isSnapshot)).toBe(true);
  });
});
