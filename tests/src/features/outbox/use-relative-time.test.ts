import { describe, expect, test } from 'vitest';
import { relativeTime } from '#src/features/outbox/use-relative-time.ts';

const now = Date.UTC(2026, 2, 2, 8);
const ago = (ms: number, tag = 'en') => relativeTime(now - ms, now, tag);

describe('relative time', () => {
  test('uses the largest unit that fits', () => {
    expect([0, 59_000, 61_000, 59 * 60_000, 3 * 3600_000, 25 * 3600_000].map((ms) => ago(ms))).toEqual([
      'now',
      '59 seconds ago',
      '1 minute ago',
      '59 minutes ago',
      '3 hours ago',
      'yesterday',
    ]);
  });

  test('uses the language of the page', () => {
    expect(ago(2 * 60_000, 'es-ES')).toBe('hace 2 minutos');
  });

  test('shows a time ahead of this clock as now', () => {
    expect(relativeTime(now + 5000, now, 'en')).toBe('now');
  });
});
