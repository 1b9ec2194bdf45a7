/** The sender of fiscal records against a strict stand-in for the tax agency. Each test has taxpayers of its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxCorrected, maxMinor } from '#domain/limits.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import { unsentRecords } from '#server/modules/fiscal/queue-store.ts';
import { insertRecords, noteSendings } from '#server/modules/fiscal/store.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import type { Agency } from '#server/modules/fiscal/transport.ts';
import { enoughBytesPerCall } from '#server/modules/fiscal/xml.ts';
import { exitOf, startMain } from '#tests/support/main-process.ts';
import type { MainProcess } from '#tests/support/main-process.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';
import { chainOf, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';

const begin = Date.parse('2027-07-01T10:01:00+02:00');
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

let nowMs = begin;
let server: TestServer;
let authority: TaxAuthority;
let clinicId: number;
let errors: unknown[];

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;

const settings: ClinicSettings = {
  ...defaultSettings,
  tax_profile: 'ES',
  tax_id: testIssuer.taxId,
  verifactu_since: '2027-07-01',
};

async function addClinic(): Promise<number> {
  const id = await server.addClinic();
  const certificate = { pkcs12: Buffer.from('a file'), passphrase: 'open' };
  await saveCertificate(server.database.$client, id, {
    sealed: sealCertificate(certificate, id, server.secret),
    holder: testIssuer.name,
    taxId: null,
    expiresAtMs: begin + 365 * 24 * hour,
    atMs: begin,
  });
  return id;
}

/** Empties tables whose rows no statement of the product may change. */
async function forget(tables: string): Promise<void> {
  const guarded = ['fiscal_records', 'fiscal_sendings', 'fiscal_answers'];
  for (const table of guarded) await query(`alter table ${table} disable trigger user`);
  await query(`truncate ${tables}`);
  for (const table of guarded) await query(`alter table ${table} enable trigger user`);
}

beforeEach(async () => {
  await forget(
    'fiscal_answers, fiscal_sendings, fiscal_senders, fiscal_inquiries, fiscal_records, fiscal_certificates, attention_items',
  );
  nowMs = begin;
  errors = [];
  clinicId = await addClinic();
  authority = await startTaxAuthority({ clock: () => nowMs });
  return () => authority.close();
});

const numbers = (chain: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `INV-${chain}-${String(index + 1).padStart(6, '0')}`);

const chain = (code: string, count: number, cancels: readonly number[] = []): FiscalRecord[] =>
  chainOf(
    numbers(code, count).map((number) => someDocument({ number })),
    { chain: code, cancels },
  );

/** Stores records under a code that was granted for their issuer. */
const arrive = (
  records: readonly FiscalRecord[],
  {
    deviceId = 1,
    into = clinicId,
    under = settings,
  }: { deviceId?: number; into?: number; under?: ClinicSettings } = {},
): Promise<void> =>
  inTransaction(server.database.$client, async (sql) => {
    await sql.query(
      `insert into devices (clinic_id, id, code, key_hash, created_at) overriding system value
       values ($1, $2, $3, '', $4) on conflict do nothing`,
      [into, deviceId, records[0]!.chain, new Date(nowMs)],
    );
    await sql.query(
      `insert into device_codes (clinic_id, device_id, code, tax_id) values ($1, $2, $3, $4) on conflict do nothing`,
      [into, deviceId, records[0]!.chain, under.tax_id],
    );
    const context = { clinicId: into, receivedAtMs: nowMs, settings: under };
    const arrived = records.map((record) => ({ deviceId, record }));
    await insertRecords(sql, context, arrived);
    await noteSendings(sql, context, arrived);
  });

const senderOver = (
  database: Database,
  agency: Agency = agencyOver(authority.url, { timeoutMs: 5 * second }),
): FiscalSender =>
  new FiscalSender(
    { database, clock: () => nowMs, secret: server.secret, agency, producer: { name: 'Maker', taxId: 'B65410011' } },
    (error) => errors.push(error),
  );

const look = (): Promise<void> => senderOver(server.database).look();

/** Lets time pass in steps, as the job does. */
async function pass(ms: number, stepMs = 5 * second): Promise<void> {
  const sender = senderOver(server.database);
  for (const end = nowMs + ms; nowMs < end; nowMs += stepMs) await sender.look();
}

const sendings = (of = clinicId) =>
  query<{ number: string; state: string; attempts: number; code: number | null; message: string | null }>(
    `select r.number, s.state, s.attempts, s.code, s.message from fiscal_sendings s
     join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id where s.clinic_id = $1 order by r.id`,
    [of],
  );
const states = async (of = clinicId) => (await sendings(of)).map(({ state }) => state);
const open = (kind: string) =>
  query<{ details: Record<string, unknown> }>(
    'select details from attention_items where kind = $1 and clinic_id = $2 and settled_at is null',
    [kind, clinicId],
  );

describe('order and pace', () => {
  test('records of all chains are sent once, in the order of each chain', async () => {
    const [a, b] = [chain('A1', 4, [1]), chain('B2', 3)];
    await arrive(a.slice(0, 2));
    await arrive(b, { deviceId: 2 });
    await arrive(a.slice(2));
    await look();
    expect(authority.records.map(({ number, type }) => `${type} ${number}`)).toEqual([
      ...numbers('A1', 2).map((number) => `issue ${number}`),
      ...numbers('B2', 3).map((number) => `issue ${number}`),
      ...numbers('A1', 4)
        .slice(2)
        .map((number) => `issue ${number}`),
      `cancel ${numbers('A1', 2)[1]}`,
    ]);
    expect(new Set(await states())).toEqual(new Set(['accepted']));
    expect(authority.calls).toMatchObject([{ isLate: false, outcome: 'answered' }]);
    expect([...authority.faults, ...errors]).toEqual([]);
  });

  test('a call has 1,000 records at most, and the next one waits as long as the reply says', async () => {
    authority.waitSeconds = 90;
    await arrive(chain('A1', 1001));
    await pass(3 * minute);
    expect(authority.calls.map(({ numbers: sent, atMs }) => [sent.length, atMs - begin])).toEqual([
      [1000, 0],
      [1, 90 * second],
    ]);
    expect(await states()).toEqual(Array<string>(1001).fill('accepted'));
    expect([...authority.faults, ...errors]).toEqual([]);
  });

  test('a call of long records has fewer, and none is so long that it is not sent', async () => {
    const corrects = Array.from({ length: maxCorrected }, (_, index) => ({
      number: `INV-A1-${String(index).padStart(33, '0')}`,
      issued_on: '01-07-2027',
    }));
    const note = { documentType: 'R5' as const, totalMinor: -1, corrects };
    const records = chainOf(numbers('A1', 30).map((number) => someDocument({ ...note, number })));
    await arrive(records);
    const of = { clinicId, taxId: testIssuer.taxId, limit: 5 };
    const fewest = await unsentRecords(server.database.$client, { ...of, enoughBytes: 1 });
    expect(fewest.map(({ record }) => record)).toEqual(records.slice(0, 1));
    await pass(3 * minute);
    const bytes = (sent: readonly unknown[]) => Buffer.byteLength(JSON.stringify(sent));
    const [first, rest] = authority.calls.map(({ numbers: sent }) => sent.length) as [number, number];
    expect(bytes(records.slice(0, first - 1))).toBeLessThan(enoughBytesPerCall);
    expect(bytes(records.slice(0, first))).toBeGreaterThanOrEqual(enoughBytesPerCall);
    expect([authority.calls.length, first + rest]).toEqual([2, 30]);
    expect(authority.records.map(({ number }) => number)).toEqual(numbers('A1', 30));
    expect([...authority.faults, ...errors]).toEqual([]);
  });

  test('two processes make one call at a time, and keep one pace', async () => {
    const other = openDatabase(server.connectionString);
    try {
      authority.slowMs = 100;
      await arrive(chain('A1', 3));
      const senders = [senderOver(server.database), senderOver(other)];
      await Promise.all(senders.map((sender) => sender.look()));
      expect(authority.calls).toHaveLength(1);
      await arrive(chain('B2', 2), { deviceId: 2 });
      await Promise.all(senders.map((sender) => sender.look()));
      expect(authority.calls).toHaveLength(1);
      nowMs += minute;
      await Promise.all(senders.map((sender) => sender.look()));
      expect(authority.calls).toHaveLength(2);
      expect(await states()).toEqual(Array<string>(5).fill('accepted'));
      expect([...authority.faults, ...errors]).toEqual([]);
    } finally {
      await other.$client.end();
    }
  });

  test('two clinics of one taxpayer share its pace', async () => {
    const sister = await addClinic();
    await arrive(chain('A1', 1));
    await arrive(chain('B2', 1), { into: sister });
    await pass(minute);
    expect(authority.calls).toHaveLength(1);
    await pass(minute);
    expect([await states(), await states(sister)]).toEqual([['accepted'], ['accepted']]);
    expect([...authority.faults, ...errors]).toEqual([]);
  });
});

describe('the turns of two clinics of one taxpayer', () => {
  /** Makes the calls of the given number of pauses, before each of which the busy clinic gets another record. */
  const turns = async (count: number, busy: number): Promise<number[]> => {
    const called: number[] = [];
    for (let round = 0; round < count; round++) {
      await arrive(chain(`C${round}`, 1), { into: busy });
      const before = await query<{ clinicId: number; attempts: number }>(attempts);
      await pass(hour);
      const after = await query<{ clinicId: number; attempts: number }>(attempts);
      for (const { clinicId: id, attempts: sum } of after)
        if (sum > (before.find((one) => one.clinicId === id)?.attempts ?? 0)) called.push(id);
    }
    return called;
  };
  const attempts = `select clinic_id as "clinicId", sum(attempts)::int as attempts from fiscal_sendings group by 1 order by 1`;

  test('a busy clinic does not keep one waiting whose call failed', async () => {
    const failing = await addClinic();
    await query(`update fiscal_certificates set sealed = '\\x00' where clinic_id = $1`, [failing]);
    await arrive(chain('F1', 1), { into: failing, deviceId: 7 });
    const called = await turns(6, clinicId);
    expect(called.filter((id) => id === failing).length).toBeGreaterThanOrEqual(2);
    expect(called.filter((id) => id === clinicId).length).toBeGreaterThanOrEqual(2);
  });
});

describe('lost replies and crashes', () => {
  test('a record whose reply was lost is sent again, and is there already', async () => {
    authority.mood = 'lost';
    await arrive(chain('A1', 3, [0]));
    await look();
    expect(await states()).toEqual(Array<string>(4).fill('unsent'));
    authority.mood = 'well';
    await pass(5 * minute);
    expect(await sendings()).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ state: 'accepted', attempts: 2, code: 3000 })),
      { state: 'accepted', attempts: 2, code: 3001 },
    ]);
    expect(authority.records).toHaveLength(4);
    expect(authority.calls.map(({ isLate, outcome }) => [isLate, outcome])).toEqual([
      [false, 'lost'],
      [true, 'answered'],
    ]);
    expect(await open('record_rejected')).toEqual([]);
    expect(authority.faults).toEqual([]);
  });

  test('a process that is killed between the call and the storing of its reply leaves the attempt and the pace behind', async () => {
    await authority.close();
    // The processes have the clock of the machine, and the agency that of the records.
    const startedMs = Date.now();
    authority = await startTaxAuthority({ clock: () => begin + Date.now() - startedMs });
    const environment = { VERIFACTU_URL: authority.url, PRODUCER_NAME: 'Maker', PRODUCER_TAX_ID: 'B65410011' };
    await arrive(chain('A1', 2));
    let victim: MainProcess | undefined;
    const killed = new Promise<void>((resolve) => {
      authority.onKept = async () => {
        while (!victim) await new Promise((wait) => setTimeout(wait, 10));
        const exit = exitOf(victim.child);
        victim.child.kill('SIGKILL');
        await exit;
        resolve();
      };
    });
    victim = await startMain(server, environment);
    await killed;
    authority.onKept = () => undefined;
    expect(await sendings()).toMatchObject([
      { state: 'unsent', attempts: 1 },
      { state: 'unsent', attempts: 1 },
    ]);
    const [pace] = await query<{ isKept: boolean }>(
      `select next_call_at > $1::timestamptz + interval '90 seconds' as "isKept" from fiscal_senders`,
      [new Date()],
    );
    expect(pace).toEqual({ isKept: true });
    // The next process continues when the pace allows it.
    nowMs = Date.now();
    await look();
    expect(authority.calls).toHaveLength(1);
    await authority.close();
    const kept = authority.records;
    nowMs += 3 * minute;
    authority = await startTaxAuthority({ clock: () => begin + 5 * minute, records: kept });
    await look();
    expect(await sendings()).toMatchObject([
      { state: 'accepted', code: 3000 },
      { state: 'accepted', code: 3000 },
    ]);
    expect(authority.records).toEqual(kept);
    expect(authority.calls).toMatchObject([{ isLate: true, outcome: 'answered' }]);
    expect([...authority.faults, ...errors]).toEqual([]);
  });

  test('a number that another record has at the agency is told to a manager', async () => {
    await arrive(chain('A1', 1));
    await look();
    await forget('fiscal_answers, fiscal_sendings, fiscal_senders, fiscal_records');
    nowMs += hour;
    const other = chainOf([someDocument({ number: numbers('A1', 1)[0]!, totalMinor: 1 })], { chain: 'A1' });
    await arrive(other);
    await look();
    expect(await sendings()).toMatchObject([{ state: 'rejected', code: 3000 }]);
    expect(await open('record_rejected')).toMatchObject([{ details: { number: numbers('A1', 1)[0] } }]);
    expect(authority.faults).toEqual([expect.stringContaining('another hash')]);
  });

  test('a number that two copies of a tablet have issued is accepted once, also after a lost reply', async () => {
    const [first] = chain('A1', 1);
    const [copy] = chainOf([someDocument({ number: numbers('A1', 1)[0]!, totalMinor: 1 })], { chain: 'A1' });
    await arrive([first!]);
    await arrive([copy!]);
    authority.mood = 'lost';
    await look();
    authority.mood = 'well';
    await pass(5 * minute);
    expect(await sendings()).toMatchObject([
      { state: 'accepted', attempts: 2, code: 3000 },
      { state: 'rejected', attempts: 2, code: 3000 },
    ]);
    expect(await open('record_rejected')).toHaveLength(1);
  });

  test('after a restore, a reply that names the hash tells the own record from another', async () => {
    authority.tellsHash = true;
    await arrive(chain('A1', 1));
    await look();
    await forget('fiscal_answers, fiscal_sendings, fiscal_senders, fiscal_records');
    nowMs += hour;
    await arrive(chain('A1', 1));
    await look();
    expect(await sendings()).toMatchObject([{ state: 'accepted', attempts: 1, code: 3000 }]);
    expect(authority.faults).toEqual([]);
  });
});

describe('outages and refusals', () => {
  test('an outage of two days ends with every record sent in order and marked as late', async () => {
    authority.mood = 'down';
    await arrive(chain('A1', 2));
    await pass(48 * hour, minute);
    const calls = authority.calls.length;
    // Twice as long each time, and once an hour in the end.
    expect(calls).toBeGreaterThanOrEqual(48);
    expect(calls).toBeLessThan(60);
    expect(await open('records_unsent')).toMatchObject([{ details: { count: 2 } }]);
    authority.mood = 'well';
    await arrive(chain('B2', 1), { deviceId: 2 });
    await pass(2 * hour, minute);
    expect(await states()).toEqual(['accepted', 'accepted', 'accepted']);
    expect(authority.records.map(({ isLate }) => isLate)).toEqual([true, true, true]);
    expect(await open('records_unsent')).toEqual([]);
    expect(authority.faults).toEqual([]);
  });

  test('records of a tablet that was offline for a day are marked as late', async () => {
    nowMs += 24 * hour;
    await arrive(chain('A1', 1));
    await look();
    expect(authority.records).toMatchObject([{ isLate: true }]);
  });

  test('a refused call is told at once and made again', async () => {
    authority.mood = 'refuses';
    await arrive(chain('A1', 2));
    await look();
    expect(await open('records_unsent')).toMatchObject([
      { details: { count: 2, reason: expect.stringContaining('4112') as string } },
    ]);
    authority.mood = 'well';
    await pass(5 * minute);
    expect(await states()).toEqual(['accepted', 'accepted']);
    expect(await open('records_unsent')).toEqual([]);
  });

  test('what the agency finds is stored and told, and holds up nothing behind it', async () => {
    authority.judge = ({ number }) => {
      if (number.endsWith('1')) return { state: 'Incorrecto', code: 1100, message: 'Valor o tipo incorrecto & más' };
      return number.endsWith('2')
        ? { state: 'AceptadoConErrores', code: 2001, message: 'El NIF no está identificado' }
        : undefined;
    };
    await arrive(chain('A1', 3));
    await look();
    expect(await sendings()).toMatchObject([
      { state: 'rejected', code: 1100, message: 'Valor o tipo incorrecto & más' },
      { state: 'accepted_with_errors', code: 2001 },
      { state: 'accepted', code: null },
    ]);
    expect(await open('record_rejected')).toMatchObject([{ details: { number: numbers('A1', 1)[0] } }]);
    expect(await open('record_with_errors')).toHaveLength(1);
    nowMs += hour;
    await look();
    expect(authority.calls).toHaveLength(1);
  });

  describe('one record for which the agency refuses a call', () => {
    const bad = numbers('A1', 12)[8]!;
    const refusing = (code: number) => {
      authority.refusesFor = ({ number }) => (number === bad ? code : undefined);
    };

    test.each([4102, 4103, 4106, 4113, 4114, 4119, 4999])(
      'is found within minutes, and the others are sent: %i',
      async (code) => {
        refusing(code);
        await arrive(chain('A1', 12));
        await pass(4 * minute);
        expect(await states()).toEqual(numbers('A1', 12).map((number) => (number === bad ? 'rejected' : 'accepted')));
        expect((await sendings())[8]).toMatchObject({ code });
        expect(await open('record_rejected')).toMatchObject([{ details: { number: bad } }]);
        expect(await open('records_unsent')).toEqual([]);
        expect(authority.faults).toEqual([]);
      },
    );

    test('is found among a thousand', async () => {
      refusing(4102);
      await arrive(chain('A1', 1000));
      await pass(12 * minute);
      expect((await states()).filter((state) => state !== 'accepted')).toEqual(['rejected']);
      expect(authority.calls.length).toBeLessThan(14);
      expect(authority.faults).toEqual([]);
    });

    test('is not sought where the call itself is refused', async () => {
      authority.refusesFor = () => 4104;
      await arrive(chain('A1', 3));
      await pass(10 * minute);
      expect(await states()).toEqual(['unsent', 'unsent', 'unsent']);
      expect(await open('records_unsent')).toHaveLength(1);
      authority.refusesFor = () => undefined;
      await pass(hour);
      expect(await states()).toEqual(['accepted', 'accepted', 'accepted']);
    });
  });

  test.each([
    ['says that it is late in time', 3, true],
    ['says nothing of a record of two minutes', 1, false],
  ])('a call %s', async (_what, minutes, isLate) => {
    nowMs += minutes * minute;
    await arrive(chain('A1', 2));
    await look();
    expect(authority.calls).toMatchObject([{ isLate }]);
    expect(await states()).toEqual(['accepted', 'accepted']);
  });

  test('a server whose clock is behind the agency says that records are late from its first answer on', async () => {
    await authority.close();
    authority = await startTaxAuthority({ clock: () => nowMs + 5 * minute });
    const sender = senderOver(server.database);
    await arrive(chain('A1', 1));
    await sender.look();
    nowMs += minute;
    await arrive(chain('B2', 1), { deviceId: 2 });
    await sender.look();
    expect(await sendings()).toMatchObject([{ state: 'accepted_with_errors', code: 2004 }, { state: 'accepted' }]);
    // The agency asks for no correction of the first.
    expect(await open('record_with_errors')).toEqual([]);
  });

  test('a server whose clock is ahead of the agency’s waits with records until the agency’s clock has come so far', async () => {
    await authority.close();
    authority = await startTaxAuthority({ clock: () => nowMs - 10 * minute });
    const sender = senderOver(server.database);
    await arrive(chain('A1', 1));
    await sender.look();
    nowMs += 2 * minute;
    const generatedAt = new Date(nowMs).toISOString().replace('.000Z', '+00:00');
    const later = chainOf([someDocument({ number: 'INV-B2-000001' }), someDocument({ number: 'INV-B2-000002' })], {
      chain: 'B2',
      generatedAt,
    });
    await arrive(later, { deviceId: 2 });
    await sender.look();
    expect(await states()).toEqual(['accepted_with_errors', 'unsent', 'unsent']);
    for (const end = nowMs + 8 * minute; nowMs < end; nowMs += 5 * second) await sender.look();
    expect(await sendings()).toMatchObject([
      { state: 'accepted_with_errors', code: 2004 },
      { state: 'accepted', attempts: 1 },
      { state: 'accepted', attempts: 1 },
    ]);
  });

  describe('the cancellation of a document that the agency has rejected', () => {
    const cancelled = () =>
      authority.records.map(({ type, isUnregistered, isAgain }) => [type, isUnregistered, isAgain]);

    test('on its way with it is sent again, as of a document without a record', async () => {
      authority.judge = ({ type }) =>
        type === 'issue' ? { state: 'Incorrecto', code: 1100, message: 'Valor' } : undefined;
      await query('update settings set data = data || $2::jsonb where clinic_id = $1', [clinicId, settings]);
      await arrive(chain('A1', 1, [0]));
      await pass(3 * minute);
      expect(await states()).toEqual(['rejected', 'rejected', 'accepted']);
      expect(cancelled()).toEqual([['cancel', true, true]]);
      expect(await open('record_rejected')).toHaveLength(1);
      expect(authority.faults).toEqual([]);
    });
  });
});

describe('leaving VERI*FACTU', () => {
  test('is told to the agency in the last month of the year, in each call', async () => {
    const leaving = { ...settings, verifactu_until: '2027-12-31' };
    await query('update settings set data = data || $2::jsonb where clinic_id = $1', [clinicId, leaving]);
    await arrive(chain('A1', 1));
    await look();
    nowMs = Date.parse('2027-12-01T09:00:00+01:00');
    await arrive(chain('B2', 1), { deviceId: 2 });
    await look();
    nowMs = Date.parse('2028-01-02T09:00:00+01:00');
    await arrive(chain('C3', 1), { deviceId: 3 });
    await look();
    expect(authority.calls.map(({ endsOn, isLate }) => [endsOn, isLate])).toEqual([
      [undefined, false],
      ['31-12-2027', true],
      [undefined, true],
    ]);
    expect([...authority.faults, ...errors]).toEqual([]);
  });
});

describe('what is not sent', () => {
  test('records of clinics without VERI*FACTU, without an issuer, and from before it began', async () => {
    await arrive(chain('A1', 1), { under: { ...settings, verifactu_since: '' } });
    await arrive(chainOf([someDocument({ totalMinor: maxMinor })], { chain: 'B2', issuer: { taxId: '', name: '' } }));
    await arrive(chain('C3', 1), { under: { ...settings, verifactu_since: '2027-07-02' } });
    await arrive(chain('D4', 1), {
      under: { ...settings, postal_code: '31001', verifactu_since: '2026-01-01', verifactu_until: '2026-12-31' },
    });
    await look();
    expect(authority.calls).toEqual([]);
    expect(await states()).toEqual(['not_sent', 'not_sent', 'not_sent']);
  });

  test('a clinic without a certificate waits, and a manager is told', async () => {
    await query('truncate fiscal_certificates');
    await arrive(chain('A1', 1));
    await pass(2 * hour, minute);
    expect(authority.calls).toEqual([]);
    expect(await open('records_unsent')).toMatchObject([{ details: { count: 1 } }]);
  });
});
