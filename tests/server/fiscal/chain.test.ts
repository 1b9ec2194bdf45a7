import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DrawerRowResource } from '#domain/drawer/resource.ts';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { hashOf, sealOf } from '#domain/fiscal/record.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { maxMinor } from '#domain/limits.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { recordsPage } from '#server/modules/fiscal/store.ts';
import type { Verification } from '#domain/fiscal/resources.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { chainOf, sha256, someDocument } from '#tests/support/verifactu/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
});
afterAll(() => server.close());

const allRecords = async (clinicId: number): Promise<FiscalRecord[]> => {
  const page = await recordsPage(server.database.$client, clinicId, { after: null, limit: 1000 });
  return page.map(({ record }) => record);
};

const stored = async (chain: string): Promise<FiscalRecord[]> =>
  (await allRecords(server.clinicId)).filter((record) => record.chain === chain);

const sent = (device: TestDevice, record: FiscalRecord, aggregate = chainAggregate(record.chain)): AnyOperation =>
  device.operation('fiscal.record', record, { aggregate });

const chainFor = ({ info }: TestDevice, ...totals: number[]): FiscalRecord[] =>
  chainOf(
    totals.map((totalMinor, index) =>
      someDocument({ totalMinor, number: `INV-${info.code}-${String(index + 1).padStart(6, '0')}` }),
    ),
    { chain: info.code },
  );

const concerns = async (kind: string, { info }: TestDevice) => {
  const { rows } = await server.database.$client.query(
    `select details from attention_items where kind = $1 and details ->> 'device' = $2 and settled_at is null`,
    [kind, info.code],
  );
  return rows as { details: Record<string, unknown> }[];
};

async function codeAfterContact(
  device: TestDevice,
  counters = { treatment: 0, invoice: 0, credit_note: 0 },
): Promise<string> {
  const { device_id, device_key, code } = device.info;
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/devices',
    headers: device.headers,
    payload: { device_id, device_key, code, counters },
  });
  return reply.json<{ data: DeviceReply }>().data.code;
}

describe('records of tablets', () => {
  test('are stored as they were made, in one chain, and a replay adds nothing', async () => {
    const device = await TestDevice.enrol(server);
    const records = chainFor(device, 60_00, -5_00, maxMinor);
    const operations = records.map((record) => sent(device, record));
    const results = await device.send(...operations);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    expect(await stored(device.info.code)).toEqual(records);
    expect(verifyChain(await stored(device.info.code), sha256)).toEqual([]);
    const again = await device.send(...operations);
    expect(again.map(({ reply }) => reply)).toEqual(results.map(({ reply }) => reply));
    expect(await stored(device.info.code)).toHaveLength(3);
    expect(await concerns('chain_broken', device)).toEqual([]);
    expect(await codeAfterContact(device)).toBe(device.info.code);
  });

  test('a record that does not match its hash or its seal is refused', async () => {
    const device = await TestDevice.enrol(server);
    const [record] = chainFor(device, 60_00) as [FiscalRecord & { type: 'issue' }];
    const forgeries: FiscalRecord[] = [
      { ...record, fields: { ...record.fields, total: '61.00' } },
      { ...record, fields: { ...record.fields, description: 'Otros' } },
      { ...record, sequence: 2 },
    ];
    for (const forgery of forgeries) {
      const [result] = await device.send(sent(device, forgery));
      expect(result).toMatchObject({ status: 'refused', reply: { code: 'VALIDATION' } });
    }
    const [misplaced] = await device.send(sent(device, record, 'chain:ZZZ9'));
    expect(misplaced).toMatchObject({ status: 'refused', reply: { code: 'VALIDATION' } });
    expect(await stored(device.info.code)).toEqual([]);
  });

  test('a tablet cancels nothing, because a cancellation is of no document that it prints', async () => {
    const device = await TestDevice.enrol(server);
    const document = someDocument({ number: `INV-${device.info.code}-000001` });
    const [issued, cancel] = chainOf([document], { chain: device.info.code, cancels: [0] });
    const results = await device.send(sent(device, issued!), sent(device, cancel!));
    expect(results).toMatchObject([
      { status: 'applied' },
      { status: 'refused', reply: { code: 'VALIDATION', details: { type: expect.any(String) } } },
    ]);
  });

  test.each([
    { description: 'Bell \u0007' },
    { description: 'x'.repeat(501) },
    { issuer_name: '\ufffe' },
    { issuer: 'B65410011\u0001' },
    { recipient: { name: 'n'.repeat(121), tax_id: '12345678Z' } },
    { recipient: { name: 'Eva', tax_id: '\u000b' } },
    { corrects: [{ number: 'INV\u001f', issued_on: '01-07-2027' }] },
    { replaces: ['INV-A1-000001', 'INV-A1-000002'].map((number) => ({ number, issued_on: '01-07-2027' })) },
  ])('a record with words or documents that no message to the tax agency may have is refused: %j', async (fields) => {
    const device = await TestDevice.enrol(server);
    const [record] = chainFor(device, 60_00) as [FiscalRecord & { type: 'issue' }];
    const { seal: _seal, hash: _hash, ...rest } = { ...record, fields: { ...record.fields, ...fields } };
    const hashed = { ...rest, hash: hashOf(rest, sha256) };
    const [result] = await device.send(sent(device, { ...hashed, seal: sealOf(hashed, sha256) }));
    expect(result).toMatchObject({ status: 'refused', reply: { code: 'VALIDATION' } });
  });

  test('a record of a document that another device numbers is told to a manager', async () => {
    const [victim, forger] = [await TestDevice.enrol(server), await TestDevice.enrol(server)];
    const number = `INV-${victim.info.code}-000001`;
    const [record] = chainOf([someDocument({ number })], { chain: forger.info.code });
    expect(await forger.send(sent(forger, record!))).toMatchObject([{ status: 'applied' }]);
    expect(await concerns('number_foreign', forger)).toMatchObject([{ details: { number } }]);
  });

  test.each(['kitchen', 'server'] as const)('the role %s, which issues no document, adds no record', async (role) => {
    const device = await TestDevice.enrol(server, role);
    const [record] = chainFor(device, 60_00);
    const [result] = await device.send(sent(device, record!));
    expect(result).toMatchObject({ status: 'refused', reply: { code: 'FORBIDDEN' } });
    expect(await stored(device.info.code)).toEqual([]);
  });

  test('a record without proof adds nothing, and other clinics see none', async () => {
    const device = await TestDevice.enrol(server);
    const [record] = chainFor(device, 60_00);
    const [unsigned] = await device.send({ ...sent(device, record!), proof: '00' });
    expect(unsigned).toMatchObject({ status: 'refused', reply: { code: 'PROOF_INVALID' } });
    const [result] = await device.send(sent(device, record!));
    expect(result!.status).toBe('applied');
    expect(await stored(device.info.code)).toEqual([record]);
    expect(await allRecords(await server.addClinic())).toEqual([]);
  });

  test('a record with a larger amount than any document has is refused', async () => {
    const device = await TestDevice.enrol(server);
    const [largest] = chainFor(device, maxMinor);
    const [tooLarge] = chainFor(device, maxMinor + 1);
    const [refusal] = await device.send(sent(device, tooLarge!));
    expect(refusal).toMatchObject({ status: 'refused', reply: { code: 'VALIDATION' } });
    const [result] = await device.send(sent(device, largest!));
    expect(result!.status).toBe('applied');
  });

  test("a record under another device's code stands in a chain of its own, and is told to a manager", async () => {
    const victim = await TestDevice.enrol(server);
    const forger = await TestDevice.enrol(server);
    const real = chainFor(victim, 60_00, 70_00);
    await victim.send(sent(victim, real[0]!));
    const forged = chainFor(victim, 99_00);
    const [result] = await forger.send(sent(forger, forged[0]!));
    expect(result!.status).toBe('applied');
    expect(await concerns('number_foreign', forger)).toHaveLength(1);
    await victim.send(sent(victim, real[1]!));
    expect(await concerns('chain_broken', victim)).toEqual([]);
    expect(await codeAfterContact(victim)).toBe(victim.info.code);
  });

  test('a fork is accepted and told, and the device gets a new code', async () => {
    const device = await TestDevice.enrol(server);
    const records = chainFor(device, 60_00, 70_00);
    const clone = chainFor(device, 60_00, 80_00);
    const results = await device.send(...[...records, clone[1]!].map((record) => sent(device, record)));
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    expect(await stored(device.info.code)).toHaveLength(3);
    expect(await concerns('chain_broken', device)).toMatchObject([{ details: { sequence: 2 } }]);
    const { counters } = await device.pull();
    expect(counters![device.info.code]!.invoice).toBeGreaterThan(1_000_000_000);
    const code = await codeAfterContact(device);
    expect(code).not.toBe(device.info.code);
  });

  test('so is a fork in a later batch, and a record whose predecessor never arrived', async () => {
    const forked = await TestDevice.enrol(server);
    const [first, second] = chainFor(forked, 60_00, 70_00);
    await forked.send(sent(forked, first!), sent(forked, second!));
    await forked.send(sent(forked, chainFor(forked, 60_00, 80_00)[1]!));
    expect(await concerns('chain_broken', forked)).toHaveLength(1);
    const gapped = await TestDevice.enrol(server);
    const records = chainFor(gapped, 1, 2, 3);
    await gapped.send(sent(gapped, records[0]!), sent(gapped, records[2]!));
    expect(await concerns('chain_broken', gapped)).toMatchObject([{ details: { sequence: 3 } }]);
    expect(await codeAfterContact(gapped)).not.toBe(gapped.info.code);
  });
});

describe("the server's own chain", () => {
  const own = () => stored('S0');

  async function paidByRequest(device: TestDevice): Promise<string> {
    const created = await server.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: device.headers,
      payload: { items: [{ stock_id: 1, quantity: 1 }] },
    });
    const { id } = created.json().data;
    const paid = await server.app.inject({
      method: 'POST',
      url: `/api/orders/${id}/payments`,
      headers: device.headers,
      payload: { payment_method: 'cash', amount: 1000 },
    });
    expect(paid.statusCode, paid.body).toBeLessThan(300);
    return id;
  }

  test('has a record of each invoice and credit note that the server issues', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    const before = (await own()).length;
    const id = await paidByRequest(manager);
    await Promise.all([paidByRequest(manager), paidByRequest(manager)]);
    const refunded = await server.app.inject({
      method: 'POST',
      url: `/api/orders/${id}/refunds`,
      headers: manager.headers,
      payload: { amount: 1, reason: 'asked for by the patient' },
    });
    expect(refunded.statusCode, refunded.body).toBeLessThan(300);
    const chain = await own();
    expect(chain).toHaveLength(before + 4);
    expect(verifyChain(chain, sha256)).toEqual([]);
    expect(chain.at(-1)!.fields).toMatchObject({ type: 'R5', total: '-1.00' });
  });

  test('no document of a device has a record there, whatever number it claims', async () => {
    const device = await TestDevice.enrol(server);
    const before = (await own()).length;
    const items = [line()];
    const created = device.create(items);
    const invoice = { ...device.invoice(items), invoice_number: 'INV-S0-000900' };
    await device.send(created, device.pay(created, 60, { invoice }));
    expect(await own()).toHaveLength(before);
  });

  test.each([
    ['after the record', false],
    ['before the record', true],
  ])('cancels a document whose operation was voided %s arrived', async (_, isVoidFirst) => {
    const manager = await TestDevice.enrol(server, 'manager');
    const before = (await own()).length;
    const documentOpId = newId();
    const orderId = newId();
    const [record] = chainOf([someDocument({ number: `INV-${manager.info.code}-000001` })], {
      chain: manager.info.code,
    });
    const { seal: _seal, ...unsealed } = { ...record!, document_op_id: documentOpId };
    const made = { ...unsealed, seal: sealOf(unsealed, sha256) };
    const voids = manager.operation(
      'operation.void',
      { op_id: documentOpId, reason: 'never to be sent' },
      { aggregate: `order:${orderId}`, supersedes: documentOpId },
    );
    const operations = [sent(manager, made), voids];
    for (const operation of isVoidFirst ? operations.toReversed() : operations)
      expect((await manager.send(operation))[0]!.status).toBe('applied');
    const chain = await own();
    expect(chain).toHaveLength(before + 1);
    expect(chain.at(-1)).toMatchObject({
      type: 'cancel',
      document_op_id: documentOpId,
      fields: { number: `INV-${manager.info.code}-000001`, issued_on: '01-07-2027' },
    });
    expect(verifyChain(chain, sha256)).toEqual([]);
  });
});

describe('GET /api/fiscal/verify', () => {
  async function verification(device: TestDevice, query = '') {
    const reply = await server.app.inject({ url: `/api/fiscal/verify${query}`, headers: device.headers });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<{ data: Verification }>().data;
  }
  const chainIn = ({ chains }: Verification, { info }: TestDevice) => chains.find(({ chain }) => chain === info.code)!;

  test('finds the last record of each device that a drawer names, as the Z report prints it', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    const records = chainFor(manager, 10_00, 20_00);
    const id = newId();
    await manager.send(
      manager.operation('drawer.open', { drawer_id: id, currency: 'EUR', float: 0 }),
      ...records.map((record) => sent(manager, record)),
    );
    const reply = await server.app.inject({ url: '/api/drawers?per_page=200', headers: manager.headers });
    const { data } = reply.json<{ data: DrawerRowResource[] }>();
    const device = data.find((drawer) => drawer.id === id)!.devices.find((each) => each.id === manager.info.device_id)!;
    expect(device.head).toEqual({ chain: manager.info.code, sequence: 2, seal: records[1]!.seal });
    const { chain, sequence, seal } = device.head!;
    const query = (printed: string) => `?chain=${chain}&sequence=${sequence}&seal=${printed}`;
    expect(await verification(manager, query(seal.slice(0, 16)))).toMatchObject({ head_found: true });
    expect(await verification(manager, query('0'.repeat(16)))).toMatchObject({ intact: false, head_found: false });
  });

  test('finds nothing in what tablets sent, and the head that a report has printed', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    const records = chainFor(manager, ...Array.from({ length: 600 }, (_, index) => index));
    for (let first = 0; first < records.length; first += 100)
      await manager.send(...records.slice(first, first + 100).map((record) => sent(manager, record)));
    const told = records[300]!;
    const query = (seal: string) => `?chain=${told.chain}&sequence=${told.sequence}&seal=${seal.slice(0, 16)}`;
    const found = await verification(manager, query(told.seal));
    expect(chainIn(found, manager)).toMatchObject({ count: 600, faults: [] });
    expect(found.head_found).toBe(true);
    const other = await verification(manager, query('0'.repeat(16)));
    expect(other).toMatchObject({ intact: false, head_found: false });
  });

  test('finds a record that somebody changed or removed in the database', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    const records = chainFor(manager, 1, 2, 3, 4);
    await manager.send(...records.map((record) => sent(manager, record)));
    const change = (sql: string, ...values: unknown[]) =>
      inTransaction(server.database.$client, async (client) => {
        await client.query('alter table fiscal_records disable trigger user');
        await client.query(sql, [server.clinicId, manager.info.code, ...values]);
        await client.query('alter table fiscal_records enable trigger user');
      });
    const at = 'where clinic_id = $1 and chain = $2 and sequence';
    const altered = JSON.stringify(records[1]).replace('odontológicos', 'odontologicos');
    await change(`update fiscal_records set record = $3::json ${at} = 2`, altered);
    expect(chainIn(await verification(manager), manager).faults).toEqual([{ sequence: 2, fault: 'seal' }]);
    await change(`update fiscal_records set record = $3::json ${at} = 2`, JSON.stringify(records[1]));
    expect(chainIn(await verification(manager), manager).faults).toEqual([]);
    for (const [name, other] of [
      ['fields', 'feilds'],
      ['issued_on', 'issued_no'],
      ['seal', 'saal'],
    ] as const) {
      await change(
        `update fiscal_records set record = $3::json ${at} = 4`,
        JSON.stringify(records[3]).replace(`"${name}"`, `"${other}"`),
      );
      expect(chainIn(await verification(manager), manager).faults).toEqual([{ sequence: 4, fault: 'seal' }]);
    }
    await change(`update fiscal_records set record = $3::json ${at} = 4`, JSON.stringify(records[3]));
    await change(`delete from fiscal_records ${at} = 2`);
    const found = await verification(manager);
    expect(chainIn(found, manager).faults).toEqual([{ sequence: 3, fault: 'missing' }]);
    expect(found.intact).toBe(false);
  });

  test('the database refuses to change, delete or empty them, whatever the server asks of it', async () => {
    for (const statement of [
      `update fiscal_records set number = 'INV-A1-000001'`,
      'update fiscal_records set record = record where false',
      'delete from fiscal_records',
      'truncate fiscal_records cascade',
    ])
      await expect(server.database.$client.query(statement)).rejects.toThrow('fiscal_records only grows');
  });
});

describe('a refused record', () => {
  test('cannot be voided, because its document is printed; sent again as it is, it is stored', async () => {
    const device = await TestDevice.enrol(server);
    const manager = await TestDevice.enrol(server, 'manager');
    const [record] = chainFor(device, 60_00);
    const absent = sent(device, record!);
    const malformed = sent(device, { ...record!, hash: '0'.repeat(64) });
    const voids = (target: AnyOperation, told = {}) =>
      manager.operation(
        'operation.void',
        { op_id: target.op_id, reason: 'Not needed', ...told },
        { aggregate: target.aggregate, supersedes: target.op_id },
      );
    expect(await device.send(malformed)).toMatchObject([{ status: 'refused', reply: { code: 'VALIDATION' } }]);
    const act = voids(malformed);
    for (const operation of [act, voids(absent, { voided: { kind: 'fiscal.record' } })])
      expect(await manager.send(operation)).toMatchObject([{ status: 'refused', reply: { code: 'NOT_VOIDABLE' } }]);
    const again = manager.operation(
      'operation.void',
      { op_id: malformed.op_id, reason: 'Not needed' },
      { aggregate: malformed.aggregate, supersedes: act.op_id },
    );
    expect(await manager.send(again)).toMatchObject([{ status: 'refused', reply: { code: 'NOT_VOIDABLE' } }]);

    const resent = device.operation('fiscal.record', record!, {
      aggregate: malformed.aggregate,
      supersedes: malformed.op_id,
    });
    expect(await device.send(resent)).toMatchObject([{ status: 'applied' }]);
    expect(await stored(device.info.code)).toEqual([record]);
  });

  test('of a tablet that is lost can be marked as done', async () => {
    const device = await TestDevice.enrol(server);
    const [record] = chainFor(device, 60_00);
    const refused = sent(device, { ...record!, hash: '0'.repeat(64) });
    await device.send(refused);
    const manager = await TestDevice.enrol(server, 'manager');
    const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === refused.op_id)!;
    expect(item.kind).toBe('refused');
    const reply = await server.app.inject({
      method: 'POST',
      url: `/api/attention/${item.id}/settle`,
      headers: { ...manager.headers, 'idempotency-key': newId() },
      payload: { reason: 'The tablet is lost.' },
    });
    expect(reply.statusCode).toBe(200);
  });
});
