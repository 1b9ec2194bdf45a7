import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxNumberStep, maxSequenceStep } from '#domain/limits.ts';
import { formatNumber } from '#domain/order/numbers.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { deviceCodes, devices } from '#server/db/schema/clinics.ts';
import { attentionItems } from '#server/db/schema/sync.ts';
import { TestDevice, line } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let tablet: TestDevice;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
});
beforeEach(async () => {
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

const progress = async ({ info }: TestDevice) => {
  const [device] = await server.database.select().from(devices).where(eq(devices.id, info.device_id));
  const [code] = await server.database.select().from(deviceCodes).where(eq(deviceCodes.code, info.code));
  return { seq: device!.lastSeq, treatment: code!.treatment, invoice: code!.invoice };
};
const numbered = (number: string): Created => {
  const created = tablet.create();
  return { ...created, payload: { ...created.payload, number } };
};
const odd = (kind: 'number_jump' | 'sequence_jump', { info }: TestDevice) =>
  server.database
    .select()
    .from(attentionItems)
    .where(eq(attentionItems.kind, kind))
    .then((rows) => rows.filter(({ details }) => details['device'] === info.code));
const sellByRest = async () => {
  const { headers } = tablet;
  const { stocks } = (await server.app.inject({ url: '/api/stock', headers })).json<{ stocks: StockResource[] }>();
  const { id } = stocks.find(({ is_available }) => is_available)!;
  const payload = { items: [{ stock_id: id, quantity: 1 }] };
  return server.app.inject({ method: 'POST', url: '/api/orders', headers, payload });
};
const ownCode = () =>
  server.database
    .select()
    .from(deviceCodes)
    .where(and(eq(deviceCodes.clinicId, server.clinicId), eq(deviceCodes.code, 'S0')))
    .then(([row]) => row!);

describe('SYNC-12 the counters of a device', () => {
  test('follow its applied operations', async () => {
    await tablet.send(tablet.create(), tablet.create());
    expect(await progress(tablet)).toEqual({ seq: 2, treatment: 2, invoice: 0 });
  });

  test('stand still for a refused operation, whatever number and sequence it names', async () => {
    const { payload, ...envelope } = numbered(formatNumber('treatment', tablet.info.code, 77));
    const malformed = { ...envelope, device_seq: 500, payload: { ...payload, items: [] } } as unknown as AnyOperation;
    expect(await tablet.send(malformed)).toMatchObject([{ status: 'refused', reply: { code: 'VALIDATION' } }]);
    expect(await progress(tablet)).toEqual({ seq: 0, treatment: 0, invoice: 0 });
  });

  test('are those of the device alone: a number under the code of another device moves neither', async () => {
    const other = await TestDevice.enrol(server);
    const [result] = await tablet.send(numbered(formatNumber('treatment', other.info.code, 900)));
    expect(result).toMatchObject({ status: 'applied' });
    expect(await progress(other)).toEqual({ seq: 0, treatment: 0, invoice: 0 });
    expect(await progress(tablet)).toMatchObject({ treatment: 0 });
  });

  test('do not follow a number far ahead: the sale counts and a manager sees one item, however many follow', async () => {
    await tablet.send(tablet.create());
    const far = numbered(formatNumber('treatment', tablet.info.code, maxNumberStep + 2));
    const beyond = numbered(formatNumber('treatment', tablet.info.code, 99_999_999_999));
    expect(await tablet.send(far, beyond, tablet.create())).toMatchObject([
      { status: 'applied' },
      { status: 'applied' },
      { status: 'applied' },
    ]);
    expect(await progress(tablet)).toMatchObject({ treatment: 4 });
    const items = await odd('number_jump', tablet);
    expect(items).toMatchObject([
      { opId: far.op_id, details: { actor: expect.any(String), device: tablet.info.code, number: far.payload.number } },
    ]);
    const near = numbered(formatNumber('treatment', tablet.info.code, maxNumberStep + 2));
    await tablet.send(near);
    expect(await progress(tablet)).toMatchObject({ treatment: maxNumberStep + 2 });
  });

  test('do not follow a sequence far ahead, and the next honest sale is taken', async () => {
    const far = { ...tablet.create(), device_seq: Number.MAX_SAFE_INTEGER };
    expect(await tablet.send(far)).toMatchObject([{ status: 'applied' }]);
    expect(await odd('sequence_jump', tablet)).toMatchObject([{ opId: far.op_id }]);
    const honest = tablet.create();
    expect(await tablet.send(honest)).toMatchObject([{ status: 'applied' }]);
    expect(await progress(tablet)).toMatchObject({ seq: honest.device_seq });
    await tablet.send({ ...tablet.create(), device_seq: honest.device_seq + maxSequenceStep });
    expect(await progress(tablet)).toMatchObject({ seq: honest.device_seq + maxSequenceStep });
  });

  test('are renewed with a new code when the device stands far ahead of them', async () => {
    const introduce = async (treatment: number) => {
      const { device_id, device_key, code } = tablet.info;
      const counters = { treatment, invoice: 0, credit_note: 0 };
      const payload = { device_id, device_key, code, counters };
      const reply = await server.app.inject({ method: 'POST', url: '/api/devices', headers: tablet.headers, payload });
      return reply.json<{ data: DeviceReply }>().data;
    };
    expect(await introduce(maxNumberStep)).toMatchObject({ code: tablet.info.code });
    const renewed = await introduce(maxNumberStep + 1);
    expect(renewed.code).not.toBe(tablet.info.code);
    expect(renewed.counters).toEqual({ treatment: 0, invoice: 0, credit_note: 0 });
  });
});

describe('SYNC-12 the series of the server', () => {
  const highest = 'T-S0-2147483647';

  test('moves only by the server: neither a sale of a device nor a fact over REST uses it up', async () => {
    const before = await ownCode();
    await tablet.send(numbered(highest));
    const session = await server.login('counter');
    const fact = await server.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { authorization: `Bearer ${session}` },
      payload: { ...numbered(highest).payload, order_id: newId(), items: [line()] },
    });
    expect(fact.statusCode).toBe(201);
    expect(await ownCode()).toEqual(before);
    expect((await sellByRest()).statusCode).toBe(201);
  });

  test('is not moved by a refused operation in the name of the server’s device', async () => {
    const before = await ownCode();
    const forged = { ...numbered(highest), device_id: before.deviceId };
    expect(await tablet.send(forged)).toMatchObject([{ status: 'refused' }]);
    expect(await ownCode()).toEqual(before);
    expect((await sellByRest()).statusCode).toBe(201);
  });
});
