import { expect, test } from 'vitest';
import type { OperationState } from '#src/db/database.ts';
import { canRetryAs } from '#src/features/outbox/tray/can-retry.ts';

const refusedBy = (code: string) => ({ last_error: { code } }) as unknown as OperationState;
const payment = { kind: 'order.pay', actor_id: 7 } as const;
const author = { id: 7, role: 'counter' } as const;
const manager = { id: 8, role: 'manager' } as const;

test('nobody retries what the server refuses each time', () => {
  for (const code of ['DRAWER_CLOSED', 'DEPENDENCY_VOIDED', 'SUPERSEDED'])
    for (const person of [author, manager]) expect(canRetryAs(person, payment, refusedBy(code))).toBe(false);
});

test('work that a role does not allow is retried by those whose role allows it, not by its author', () => {
  expect(canRetryAs({ id: 7, role: 'kitchen' }, payment, refusedBy('FORBIDDEN'))).toBe(false);
  expect(canRetryAs({ id: 9, role: 'counter' }, payment, refusedBy('FORBIDDEN'))).toBe(false);
  expect(canRetryAs(author, payment, refusedBy('FORBIDDEN'))).toBe(true);
  expect(canRetryAs(manager, payment, refusedBy('FORBIDDEN'))).toBe(true);
});

test('other refused work is retried by its author or a manager, and unproven work by anybody', () => {
  expect(canRetryAs(author, payment, refusedBy('VALIDATION'))).toBe(true);
  expect(canRetryAs({ id: 9, role: 'counter' }, payment, refusedBy('VALIDATION'))).toBe(false);
  expect(canRetryAs(manager, payment, refusedBy('VALIDATION'))).toBe(true);
  expect(canRetryAs(null, payment, refusedBy('VALIDATION'))).toBe(false);
  expect(canRetryAs(null, payment, refusedBy('PROOF_INVALID'))).toBe(true);
});
