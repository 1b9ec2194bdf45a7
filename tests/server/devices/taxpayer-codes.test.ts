import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { businessDay } from '#domain/business-day.ts';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { noNumbersUsed } from '#domain/order/numbers.ts';
import type { ChangesPage, DeviceReply } from '#domain/protocol/sync.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Role } from '#domain/staff/roles.ts';
import { startTestServer } from '#tests/support/server.ts';
import { unique } from '#tests/support/unique.ts';
import type { TestServer } from '#tests/support/server.ts';
import { TestDevice } from '#tests/support/device.ts';
import { chainOf, sha256, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const [taxId, otherTaxId] = ['B65410011', 'A58818501'];
const issuer: Partial<ClinicSettings> = {
  tax_profile: 'ES',
  books_by_sii: true,
  legal_name: 'Clínica Dental Ñandú & Hijos, S.L.',
  tax_id: taxId,
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};

class Clinic {
  private readonly tokens = new Map<Role, string>();
  constructor(readonly id: number) {}

  async as(role: Role): Promise<{ authorization: string }> {
    const token = this.tokens.get(role) ?? (await server.login(role, { clinicId: this.id }));
    this.tokens.set(role, token);
    return { authorization: `Bearer ${token}` };
  }

  async call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, role: Role = 'admin') {
    const reply = await server.app.inject({
      method,
      url: `/api${url}`,
      headers: await this.as(role),
      ...(payload && { payload }),
    });
    return { status: reply.statusCode, ...reply.json<{ data: never; code?: string }>() };
  }

  async set(changes: Partial<ClinicSettings>): Promise<void> {
    expect(await this.call('PUT', '/settings', changes)).toMatchObject({ status: 200 });
  }

  /** Introduces a device by a sign-in of its own: a session stays on one device. */
  async introduce(payload: object = {}): Promise<DeviceReply> {
    const headers = { authorization: `Bearer ${await server.login('counter', { clinicId: this.id })}` };
    const reply = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload });
    return reply.json<{ data: DeviceReply }>().data;
  }

  /** A device's next contact: it names its code, and gets the one to number under. */
  async contact({ device_id, device_key, code }: DeviceReply): Promise<DeviceReply> {
    return { device_key, ...(await this.introduce({ device_id, device_key, code, counters: noNumbersUsed })) };
  }

  async sell(): Promise<{ treatment: string; invoice: string }> {
    const product = await this.call('POST', '/products', { name: unique('Cleaning'), price: 10 });
    const items = [{ product_id: (product.data as { id: number }).id, quantity: 1 }];
    const created = await this.call('POST', '/orders', { items });
    const { id, number } = created.data as { id: string; number: string };
    const paid = await this.call('POST', `/orders/${id}/payments`, { payment_method: 'card', amount: 10 });
    expect(paid.status).toBeLessThan(300);
    const order = (await this.call('GET', `/orders/${id}`)).data as { Invoice: { invoice_number: string } };
    return { treatment: number, invoice: order.Invoice.invoice_number };
  }
}

const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;

let north: Clinic;
let south: Clinic;
beforeEach(async () => {
  [north, south] = [new Clinic(await server.addClinic()), new Clinic(await server.addClinic())];
});

const codeOf = (number: string): string => number.split('-')[1]!;

describe('with a tax profile', () => {
  test('the devices and the servers of two clinics of one taxpayer share a sequence, and never a code', async () => {
    await north.set(issuer);
    await south.set(issuer);
    const devices = await Promise.all([north, south, north, south].map((clinic) => clinic.introduce()));
    const sales = [await north.sell(), await south.sell(), await north.sell()];
    const codes = [...devices.map(({ code }) => code), codeOf(sales[0]!.invoice), codeOf(sales[1]!.invoice)];
    expect(new Set(codes).size).toBe(6);
    expect(new Set(codes.map((code) => code.slice(0, 3))).size).toBe(1);
    expect(devices.map(({ tax_id }) => tax_id)).toEqual([taxId, taxId, taxId, taxId]);
    expect(sales[0]!.invoice).toMatch(/^INV-[A-Z]{4}0-000001$/);
    expect(codeOf(sales[0]!.treatment)).toBe(codeOf(sales[0]!.invoice));
    expect(sales[2]!.invoice).toBe(sales[0]!.invoice.replace('000001', '000002'));
  });

  test('first sales at the same time grant the server one code', async () => {
    await north.set(issuer);
    const sales = await Promise.all(Array.from({ length: 4 }, () => north.sell()));
    expect(new Set(sales.map(({ invoice }) => codeOf(invoice))).size).toBe(1);
    expect(new Set(sales.map(({ invoice }) => invoice)).size).toBe(4);
  });

  test('another taxpayer has a sequence of its own', async () => {
    await north.set(issuer);
    await south.set({ ...issuer, tax_id: otherTaxId });
    const [a, b] = [await north.introduce(), await south.introduce()];
    expect([a.tax_id, b.tax_id]).toEqual([taxId, otherTaxId]);
    expect(a.code).not.toBe(b.code);
  });
});

describe('a change of the taxpayer', () => {
  test('gives each device a code of the taxpayer at its next contact, and its chain begins anew', async () => {
    const before = await north.introduce();
    expect(before.tax_id).toBeNull();
    expect((await north.sell()).invoice).toMatch(/^INV-S0-/);
    await north.set({ receipt_footer: 'Thank you' });
    expect((await north.contact(before)).code).toBe(before.code);

    await north.set(issuer);
    const headers = { authorization: `Bearer ${before.sync_token!}` };
    const page = await server.app.inject({ url: '/api/sync/changes', headers });
    const { counters } = page.json<{ data: ChangesPage }>().data;
    expect(counters![before.code]!.invoice).toBeGreaterThan(1_000_000_000);
    const granted = await north.contact(before);
    expect(granted).toMatchObject({ tax_id: taxId, counters: noNumbersUsed });
    expect(granted.code).toMatch(/^[A-Z]{4,}[1-9]$/);
    expect(await north.contact(granted)).toMatchObject({ code: granted.code, tax_id: taxId });

    await north.set({ tax_id: otherTaxId });
    const moved = await north.contact(granted);
    expect(moved.tax_id).toBe(otherTaxId);
    await north.set({ tax_profile: 'none' });
    const plain = await north.contact(moved);
    expect(plain.tax_id).toBeNull();
    expect(new Set([before, granted, moved, plain].map(({ code }) => code)).size).toBe(4);
    expect((await north.sell()).invoice).toMatch(/^INV-S0-/);
  });

  test('of one clinic leaves the codes of others alone', async () => {
    await south.set(issuer);
    const theirs = await south.introduce();
    await north.set(issuer);
    await north.set({ tax_profile: 'none' });
    expect((await south.contact(theirs)).code).toBe(theirs.code);
  });

  test('is not outrun by an enrolment at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const profile = round % 2 === 0 ? issuer : { tax_profile: 'none' as const };
      const [device] = await Promise.all([north.introduce(), north.set(profile)]);
      const granted = await north.contact(device);
      expect(granted.tax_id).toBe(round % 2 === 0 ? taxId : null);
    }
  });
});

describe('what is sent', () => {
  const states = (clinic: Clinic) =>
    rows<{ chain: string; state: string }>(
      `select r.chain, s.state from fiscal_records r join fiscal_sendings s on s.clinic_id = r.clinic_id and s.record_id = r.id
       where r.clinic_id = $1 order by r.id`,
      [clinic.id],
    );
  const today = businessDay(Date.now(), 'Europe/Madrid');
  const verifactu = { ...issuer, verifactu_since: today };
  const recordUnder = (chain: string, over: { numbered?: string; taxId?: string } = {}): FiscalRecord =>
    chainOf([someDocument({ number: `INV-${over.numbered ?? chain}-000001` })], {
      chain,
      day: today,
      issuer: { ...testIssuer, taxId: over.taxId ?? testIssuer.taxId },
    })[0]!;

  test('are the records under codes of the issuer alone, and the chains of servers are whole', async () => {
    await north.sell();
    await north.set(verifactu);
    await north.sell();
    await north.sell();
    const codes = await states(north);
    expect(codes.map(({ state }) => state)).toEqual(['unsent', 'unsent']);
    const chains = await rows<{ chain: string; record: FiscalRecord }>(
      'select chain, record from fiscal_records where clinic_id = $1 order by id',
      [north.id],
    );
    for (const chain of new Set(chains.map((row) => row.chain)))
      expect(
        verifyChain(
          chains.filter((row) => row.chain === chain).map(({ record }) => record),
          sha256,
        ),
      ).toEqual([]);
  });

  test('are neither those of a clinic that claims a taxpayer under the codes of another clinic, nor of another device', async () => {
    await north.set(verifactu);
    await south.set(verifactu);
    const theirs = await north.introduce();
    const forger = await TestDevice.enrol(server, 'counter', south.id);
    const records = [
      recordUnder('A1'),
      recordUnder(theirs.code),
      recordUnder(forger.info.code),
      recordUnder(forger.info.code, { numbered: theirs.code }),
      // As after a restore that has forgotten a code.
      recordUnder('XXXX1'),
      recordUnder('XXXX2', { taxId: '12345678Z' }),
    ];
    for (const record of records) {
      const operation = forger.operation('fiscal.record', record, { aggregate: chainAggregate(record.chain) });
      expect(await forger.send(operation)).toMatchObject([{ status: 'applied' }]);
    }
    const [own, forgotten] = [2, 4];
    expect((await states(south)).map(({ state }) => state)).toEqual(
      records.map((_, index) => (index === own || index === forgotten ? 'unsent' : 'not_sent')),
    );
    expect(await states(north)).toEqual([]);
  });
});

describe('other letters', () => {
  test('renew the codes of the clinic that asks, and of no other clinic', async () => {
    await north.set(issuer);
    await south.set(issuer);
    const [mine, theirs] = [await north.introduce(), await south.introduce()];
    const before = (await north.sell()).invoice;
    expect(await north.call('POST', '/devices/prefix', {}, 'counter')).toMatchObject({ status: 403 });
    expect(await north.call('POST', '/devices/prefix', {}, 'manager')).toMatchObject({ status: 200 });
    const renewed = await north.contact(mine);
    const after = (await north.sell()).invoice;
    expect(renewed.code.slice(0, 3)).not.toBe(mine.code.slice(0, 3));
    expect(codeOf(after).slice(0, 3)).toBe(renewed.code.slice(0, 3));
    expect(codeOf(after)).not.toBe(codeOf(before));
    expect((await south.contact(theirs)).code).toBe(theirs.code);
    expect((await south.introduce()).code.slice(0, 3)).toBe(renewed.code.slice(0, 3));
  });

  test('are not for a clinic without a taxpayer', async () => {
    expect(await north.call('POST', '/devices/prefix', {})).toMatchObject({
      status: 409,
      code: 'TAX_PROFILE_REQUIRED',
    });
  });
});
