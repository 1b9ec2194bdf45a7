import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxBatchDependencies, maxReplacements } from '#domain/limits.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

let server: TestServer;
let tablet: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  tablet = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

/** A replacement that the server refuses, because it is malformed. */
function bad(old?: AnyOperation): Created {
  const { payload, ...envelope } = tablet.create();
  const order_id = old ? (old.payload as { order_id: string }).order_id : newId();
  return {
    ...envelope,
    aggregate: `order:${order_id}`,
    payload: { ...payload, order_id, items: [] },
    ...(old && { supersedes: old.op_id }),
  };
}

/** Sends a chain of refused replacements, a batch at a time, and returns it. */
async function chain(links: number): Promise<AnyOperation[]> {
  const operations = [bad()];
  for (let link = 0; link < links; link++) operations.push(bad(operations.at(-1)));
  for (let sent = 0; sent < operations.length; sent += 100) await tablet.send(...operations.slice(sent, sent + 100));
  return operations;
}

describe('SYNC-7 a chain of replacements', () => {
  test('ends after a number of links: the next one is refused and leaves the last open, which a void ends', async () => {
    const operations = await chain(maxReplacements);
    const last = operations.at(-1)!;
    const { payload, ...next } = bad(last);
    const good = { ...tablet.create().payload, order_id: (last.payload as { order_id: string }).order_id };
    const tooMany = { ...next, payload: good } as unknown as AnyOperation;
    expect(payload).toBeDefined();
    expect(await tablet.send(tooMany)).toMatchObject([{ status: 'refused', reply: { code: 'REPLACED_TOO_OFTEN' } }]);
    const again = { ...tooMany, op_id: newId(), supersedes: tooMany.op_id };
    expect(await tablet.send(again)).toMatchObject([{ status: 'refused', reply: { code: 'SUPERSEDES_APPLIED' } }]);
    const given = tablet.operation(
      'operation.void',
      { op_id: last.op_id, reason: 'Entered anew' },
      { supersedes: last.op_id, aggregate: last.aggregate },
    );
    expect(await tablet.send(given)).toMatchObject([{ status: 'applied' }]);
  });

  test('is followed from any link to its last one, also within the batch that makes it', async () => {
    const [first, ...rest] = await chain(5);
    const good = tablet.create([...tablet.create().payload.items], {
      supersedes: rest.at(-1)!.op_id,
      aggregate: first!.aggregate,
    });
    good.payload.order_id = (first!.payload as { order_id: string }).order_id;
    const waits = tablet.pay(good, 10, {}, { depends_on: [first!.op_id, rest[2]!.op_id] });
    expect(await tablet.send(waits)).toMatchObject([{ status: 'waiting', reply: { code: 'DEPENDENCY_PENDING' } }]);
    expect(await tablet.send(good, waits)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
    const later = tablet.pay(good, 10, {}, { depends_on: [first!.op_id] });
    expect(await tablet.send(later)).toMatchObject([{ status: 'applied' }]);
  });

  test('costs a batch of dependants a bounded time', async () => {
    const links = await chain(1000);
    const dependsOn = links.slice(0, 50).map(({ op_id }) => op_id);
    const sendDependants = () =>
      tablet.send(
        ...Array.from({ length: maxBatchDependencies / 50 }, () =>
          tablet.pay(tablet.create(), 10, {}, { depends_on: dependsOn }),
        ),
      );
    expect(await quietTime(sendDependants)).toBeLessThan(1000);
  });
});

test('SYNC-3 a batch with too many dependencies is refused as a whole, so that the device sends less at a time', async () => {
  const many = Array.from({ length: 50 }, () => newId());
  const operations = Array.from({ length: maxBatchDependencies / 50 + 1 }, () =>
    tablet.pay(tablet.create(), 10, {}, { depends_on: many }),
  );
  const { headers } = tablet;
  const send = (payload: object) => server.app.inject({ method: 'POST', url: '/api/sync/batch', headers, payload });
  expect((await send({ operations })).json()).toMatchObject({ success: false, code: 'VALIDATION' });
  expect((await send({ operations: operations.slice(1) })).statusCode).toBe(200);
});
