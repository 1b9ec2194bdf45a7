import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideStep, preparationStatuses, stepAfter, stepBefore, urgencyOf } from '#domain/preparation/steps.ts';

const status = fc.constantFrom(...preparationStatuses);
const place = (of: (typeof preparationStatuses)[number]) => preparationStatuses.indexOf(of);

describe('a step of preparation', () => {
  test('leads from each status to the next and back, but not beyond the first and the last', () => {
    expect(preparationStatuses.map(stepAfter)).toEqual(['preparing', 'ready', 'served', undefined]);
    expect(preparationStatuses.map(stepBefore)).toEqual([undefined, 'pending', 'preparing', 'ready']);
  });

  test('is allowed to the next, the previous and the same status only', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        const isNear = Math.abs(place(from) - place(to)) <= 1;
        expect(decideStep(from, to)).toEqual(
          isNear
            ? { ok: true, value: to }
            : { ok: false, refusal: { code: 'PREPARATION_STEP', details: { from, to } } },
        );
      }),
    );
  });
});

describe('a wait', () => {
  test.each([
    [0, 'calm'],
    [14 * 60_000 + 59_999, 'calm'],
    [15 * 60_000, 'soon'],
    [30 * 60_000 - 1, 'soon'],
    [30 * 60_000, 'late'],
    [26 * 3_600_000, 'late'],
    // On a tablet whose clock is behind, the request lies in the future.
    [-60_000, 'calm'],
  ] as const)('of %d ms is %s by a limit of 30 minutes', (waitedMs, urgency) => {
    expect(urgencyOf(waitedMs, 30)).toBe(urgency);
  });
});
