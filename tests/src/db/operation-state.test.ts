/** The state machine of an operation. Its types refuse what the table does not have: `tsc` fails if one of the marked lines compiles. */
import { expect, test } from 'vitest';
import type { OperationState } from '#src/db/database.ts';
import { transition } from '#src/db/operation-state.ts';

const state = <S extends OperationState['status']>(status: S) =>
  ({ op_id: 'a', position: 4, ...(status === 'pending' && { queue_place: 4 }), status }) as OperationState<S>;

test('only an unsent operation has a place in the queue', () => {
  const place = ({ queue_place }: OperationState) => queue_place;
  expect(place(transition(state('pending'), 'select', 1))).toBe(4);
  expect(place(transition(state('sending'), 'postpone', 1))).toBe(4);
  expect(place(transition(state('settled'), 'requeue', 1))).toBe(4);
  expect(place(transition(state('sending'), 'accept', 1))).toBeUndefined();
  expect(place(transition(state('pending'), 'refuse', 1))).toBeUndefined();
  expect(place(transition(state('pending'), 'settle', 1))).toBeUndefined();
  expect(place(transition(state('attention'), 'replace', 1))).toBeUndefined();
});

test('an event leads to one status and keeps the rest', () => {
  expect(transition(state('sending'), 'postpone', 7, { next_at: 9 })).toEqual({
    op_id: 'a',
    position: 4,
    queue_place: 4,
    status: 'retry',
    next_at: 9,
    changed_at: 7,
  });
});

test('the types refuse an event that the status does not take', () => {
  const refused = () => [
    // @ts-expect-error A refused operation is sent again only by a replacement.
    transition(state('attention'), 'select', 1),
    // @ts-expect-error A reply reaches an operation only while it is on its way.
    transition(state('settled'), 'accept', 1),
    // @ts-expect-error A settled operation is refused no more.
    transition(state('settled'), 'refuse', 1),
    // @ts-expect-error A receipt settles an operation once.
    transition(state('settled'), 'settle', 1),
    // @ts-expect-error A refused operation is in the tray, where a person decides.
    transition(state('attention'), 'requeue', 1),
    // @ts-expect-error Only what the server may have lost is queued again.
    transition(state('retry'), 'requeue', 1),
  ];
  expect(refused).toBeTypeOf('function');
});
