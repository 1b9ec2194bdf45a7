/** What managers read of fiscal records: chains, the list, the export for an inspector and the producer's declaration. */
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainResource, DeclarationResource, RecordsPage } from '#domain/fiscal/resources.ts';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import type { Role } from '#domain/staff/roles.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { version } from '#server/version.ts';
import { recordsArchive } from '#server/modules/fiscal/export.ts';
import { saveReplies } from '#server/modules/fiscal/answers-store.ts';
import { insertRecords, noteSendings } from '#server/modules/fiscal/store.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { chainOf, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';
import { schemaErrors } from '#tests/support/xmllint.ts';

const nowMs = Date.parse('2027-07-20T10:00:00Z');
const producer = { PRODUCER_NAME: 'Maker & Sons, S.L.', PRODUCER_TAX_ID: 'B65410011' };
const settings = {
  ...defaultSettings,
  tax_profile: 'ES' as const,
  tax_id: testIssuer.taxId,
  verifactu_since: '2027-07-01',
};

let server: TestServer;
let other: number;

const numbers = (code: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `INV-${code}-${String(index + 1).padStart(6, '0')}`);

const chain = (code: string, count: number, issuer = testIssuer) =>
  chainOf(
    numbers(code, count).map((number) => someDocument({ number })),
    { chain: code, issuer, cancels: [0] },
  );

/** Stores records under a code that was granted for their issuer. */
async function arrive(
  code: string,
  count: number,
  { clinicId = server.clinicId, deviceId = 101, issuer = testIssuer },
) {
  await inTransaction(server.database.$client, async (sql) => {
    await sql.query(
      `insert into devices (clinic_id, id, code, name, key_hash, created_at) overriding system value
       values ($1, $2, $3, $4, '', $5)`,
      [clinicId, deviceId, code, `Tablet ${code}`, new Date(nowMs)],
    );
    await sql.query('insert into device_codes (clinic_id, device_id, code, tax_id) values ($1, $2, $3, $4)', [
      clinicId,
      deviceId,
      code,
      issuer.taxId || null,
    ]);
    const records = chain(code, count, issuer).map((record) => ({ deviceId, record }));
    const context = { clinicId, receivedAtMs: nowMs, settings };
    await insertRecords(sql, context, records);
    await noteSendings(sql, context, records);
  });
}

async function get(
  url: string,
  { role = 'manager', clinicId = server.clinicId }: { role?: Role; clinicId?: number } = {},
) {
  const headers = { authorization: `Bearer ${await server.login(role, { clinicId })}` };
  return server.app.inject({ url: `/api/fiscal/${url}`, headers });
}

const list = async (query: string): Promise<RecordsPage> => (await get(`records?${query}`)).json<RecordsPage>();
const chains = async (clinicId = server.clinicId) =>
  (await get('chains', { clinicId })).json<{ data: ChainResource[] }>().data;

beforeAll(async () => {
  server = await startTestServer({ now: nowMs, environment: producer });
  other = await server.addClinic();
  await arrive('A1', 3, {});
  await arrive('B2', 120, { deviceId: 102 });
  await arrive('C3', 2, { clinicId: other, deviceId: 103 });
  const { data } = await list('number=INV-A1');
  const receipt = { origin: 'call', csv: 'A-TEST', presentedAtMs: nowMs } as const;
  const [rejected, faulty] = data.filter(({ type }) => type === 'issue');
  await inTransaction(server.database.$client, (sql) =>
    saveReplies(sql, { clinicId: server.clinicId, atMs: nowMs, receipt }, [
      { recordId: rejected!.id, state: 'rejected', said: 'rejected', code: 1234, message: 'El campo no es válido' },
      {
        recordId: faulty!.id,
        state: 'accepted_with_errors',
        said: 'accepted_with_errors',
        code: 2001,
        message: 'El NIF no está en el censo',
      },
    ]),
  );
});
afterAll(() => server.close());

test('chains name their device, count their records and end with their head', async () => {
  const found = await chains();
  const [a1] = found.filter(({ chain: code }) => code === 'A1');
  const last = chain('A1', 3).at(-1)!;
  expect(a1).toMatchObject({ device_id: 101, device_name: 'Tablet A1', count: 4, unsent: 2 });
  expect(a1!.head).toMatchObject({ sequence: 4, number: last.fields.number, seal: last.seal });
  expect(found.map(({ chain: code, count }) => [code, count])).toEqual([
    ['A1', 4],
    ['B2', 121],
  ]);
});

describe('the list of records', () => {
  test('begins with the latest and has every record once over its pages', async () => {
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: RecordsPage = await list(cursor === '' ? 'limit=50' : `limit=50&cursor=${cursor}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next;
    }
    expect(seen).toHaveLength(125);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
  });

  test('is filtered by state and by the beginning of the number, whose signs are no pattern', async () => {
    expect((await list('state=faulty')).data).toMatchObject([
      { state: 'rejected', code: 1234, advice: 'rejected', message: 'El campo no es válido' },
      { state: 'accepted_with_errors', code: 2001, advice: 'recipient' },
    ]);
    expect((await list('state=unsent&number=INV-A1')).data).toHaveLength(2);
    expect((await list('state=not_sent')).data).toEqual([]);
    expect((await list('number=INV-B2-00012')).data.map(({ number }) => number)).toEqual(['INV-B2-000120']);
    expect((await list('number=%25')).data).toEqual([]);
    expect((await list('number=INV_')).data).toEqual([]);
  });

  test('says nothing of recipients', async () => {
    const [first] = (await list('limit=1')).data;
    expect(Object.keys(first!)).not.toContain('recipient');
  });
});

describe('the export', () => {
  const parts = async (query: string) => {
    const reply = await get(`export?${query}`);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip']);
    const files = Object.entries(unzipSync(reply.rawPayload)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
    return new Map(files);
  };

  test('has every record of the months as JSON lines, and as XML that follows the schema of the agency', async () => {
    const files = await parts('from=2027-07&until=2027-07');
    expect([...files.keys()]).toEqual(['0001-A1.jsonl', '0001-A1.xml', '0002-B2.jsonl', '0002-B2.xml', 'index.json']);
    const lines = files.get('0001-A1.jsonl')!.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { record: object }).record)).toEqual(chain('A1', 3));
    const xml = ['0001-A1.xml', '0002-B2.xml'].map((name) => files.get(name)!.replace(/^<\?.*\?>\n/, ''));
    expect(await schemaErrors('SuministroLR.xsd', xml)).toEqual([]);
    expect(xml[1]!.match(/<sfLR:RegistroFactura>/g)).toHaveLength(121);
    expect(JSON.parse(files.get('index.json')!)).toMatchObject({
      parts: [
        { chain: 'A1', records: 4, first: { sequence: 1 }, last: { sequence: 4 } },
        { chain: 'B2', records: 121 },
      ],
    });
  });

  test('has only its months, and is in the audit log', async () => {
    expect([...(await parts('from=2027-08&until=2027-12')).keys()]).toEqual(['index.json']);
    const { rows } = await server.database.$client.query<{ details: object }>(
      `select details from audit_log where action = 'fiscal.exported' order by id`,
    );
    expect(rows.at(-1)!.details).toEqual({ from: '2027-08', until: '2027-12' });
  });

  test('splits parts at a thousand records and at another issuer, and has no XML without an issuer or a producer', async () => {
    const clinicId = await server.addClinic();
    await arrive('D4', 1001, { clinicId, deviceId: 104 });
    await arrive('E5', 1, { clinicId, deviceId: 105, issuer: { taxId: '', name: '' } });
    const archive = async (system: Parameters<typeof recordsArchive>[2]['system']) => {
      const months = { from: '2027-07', until: '2027-07' };
      const chunks: Uint8Array[] = [];
      for await (const chunk of recordsArchive(server.database.$client, clinicId, { months, system, atMs: nowMs }))
        chunks.push(chunk);
      return Object.keys(unzipSync(Buffer.concat(chunks)));
    };
    const maker = { producer: testIssuer, version: '1.0.0', isShared: false };
    expect(await archive(maker)).toEqual([
      '0001-D4.jsonl',
      '0001-D4.xml',
      '0002-D4.jsonl',
      '0002-D4.xml',
      '0003-E5.jsonl',
      'index.json',
    ]);
    expect((await archive(null)).some((name) => name.endsWith('.xml'))).toBe(false);
  });
});

test('the feed tells tablets how many records of their clinic wait for the tax agency', async () => {
  const changes = async (clinicId: number) => {
    const headers = { authorization: `Bearer ${await server.login('counter', { clinicId })}` };
    const reply = await server.app.inject({ url: '/api/sync/changes', headers });
    return reply.json<{ data: ChangesPage }>().data;
  };
  expect((await changes(server.clinicId)).unsent_records).toBe(123);
  expect(await changes(await server.addClinic())).not.toHaveProperty('unsent_records');
});

test('another clinic sees none of it', async () => {
  expect((await chains(other)).map(({ chain: code }) => code)).toEqual(['C3']);
  const page = (await get('records?number=INV-A1', { clinicId: other })).json<RecordsPage>();
  expect(page.data).toEqual([]);
  const exported = await get('export?from=2027-07&until=2027-07', { clinicId: other });
  expect(Object.keys(unzipSync(exported.rawPayload))).toContain('0001-C3.jsonl');
});

test.each(['from=2027-13&until=2027-12', 'from=2027-07', 'from=07-2027&until=2027-12'])(
  'the export refuses %s as a range of months',
  async (query) => {
    expect((await get(`export?${query}`)).statusCode).toBe(400);
  },
);

describe('the responsible declaration', () => {
  const declaration = async (environment: NodeJS.ProcessEnv) => {
    const one = await startTestServer({ now: nowMs, environment });
    try {
      const headers = { authorization: `Bearer ${await one.login('counter')}` };
      const reply = await one.app.inject({ url: '/api/fiscal/declaration', headers });
      return reply.json<{ data: DeclarationResource }>().data;
    } finally {
      await one.close();
    }
  };
  const complete = {
    ...producer,
    PRODUCER_ADDRESS: 'Calle Mayor 1, 28013 Madrid',
    DECLARATION_PLACE: 'Madrid',
    DECLARATION_DATE: '2027-01-02',
  };

  test('has blanks and is not signed until the installation fills them in', async () => {
    expect(await declaration({})).toMatchObject({
      version,
      producer: { name: '', tax_id: '', address: '' },
      is_signed: false,
    });
  });

  test('is signed for one version', async () => {
    expect((await declaration({ ...complete, DECLARATION_VERSION: version })).is_signed).toBe(true);
    expect((await declaration({ ...complete, DECLARATION_VERSION: '0.0.1' })).is_signed).toBe(false);
    expect((await declaration({ ...complete, DECLARATION_PLACE: '', DECLARATION_VERSION: version })).is_signed).toBe(
      false,
    );
  });
});
