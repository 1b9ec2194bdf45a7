import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { TestDevice, line } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { statusOf } from '#domain/order/totals.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import type { ChangesPage, FeedPart, PatientsPage } from '#domain/protocol/sync.ts';
import { pageRows } from '#server/modules/feed/store.ts';
import { eventually } from '#tests/support/eventually.ts';

let server: TestServer;
let tablet: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

describe('SYNC-9 the change feed', () => {
  test('returns catalogue, settings and open treatments to a new reader', async () => {
    const { rows, counters, epoch } = await tablet.pull();
    expect(rows.stock.length).toBeGreaterThan(30);
    expect(rows.categories.length).toBe(8);
    expect(rows.settings?.practice_name).toBeTruthy();
    expect(rows.orders.some((order) => statusOf(order) === 'confirmed')).toBe(true);
    expect(Object.values(counters!)).toEqual([{ treatment: 0, invoice: 0, credit_note: 0 }]);
    expect(epoch).toMatch(/^[0-9a-f-]{36}\.0{7}1$/);
  });

  test('returns the changes since the cursor, with the receipts of this device only', async () => {
    const other = await TestDevice.enrol(server);
    const before = await tablet.pull();
    const mine = tablet.create();
    const theirs = other.create();
    await tablet.send(mine);
    await other.send(theirs);
    const { rows, receipts, cursor } = await tablet.pull(before.cursor);
    expect(rows.orders.map(({ id }) => id).sort()).toEqual([mine.payload.order_id, theirs.payload.order_id].sort());
    expect(receipts).toEqual([
      {
        op_id: mine.op_id,
        device_seq: mine.device_seq,
        status: 'applied',
        code: null,
        message: null,
        details: null,
        superseded_by: null,
        operation: null,
      },
    ]);
    expect(rows.categories).toEqual([]);
    const idle = await tablet.pull(cursor);
    expect(idle.rows.orders).toEqual([]);
    expect(idle.receipts).toEqual([]);
  });

  test('returns the same rows to every reader, each as it stands at the time of the pull', async () => {
    const [clerk, manager] = [await TestDevice.enrol(server), await TestDevice.enrol(server, 'manager')];
    const { cursor } = await clerk.pull();
    const { cursor: asManager } = await manager.pull();
    const created = clerk.create();
    await clerk.send(created);
    const rowsAfter = async (device: TestDevice, from: string) => {
      const { orders, stock } = (await device.pull(from)).rows;
      return { orders, stock };
    };
    const first = await rowsAfter(clerk, cursor);
    expect(first.orders.map((order) => [order.id, statusOf(order)])).toEqual([[created.payload.order_id, 'confirmed']]);
    expect(await rowsAfter(manager, asManager)).toEqual(first);
    expect(await rowsAfter(clerk, cursor)).toEqual(first);
    await clerk.send(clerk.pay(created, created.payload.total));
    const paid = await rowsAfter(manager, asManager);
    expect(paid.orders.map((order) => [order.id, statusOf(order), order.payments.length])).toEqual([
      [created.payload.order_id, 'completed', 1],
    ]);
    expect(paid.stock.map(({ id }) => id)).toEqual(first.stock.map(({ id }) => id));
    expect(paid.stock).not.toEqual(first.stock);
    expect(await rowsAfter(clerk, cursor)).toEqual(paid);
  });

  test('leaves connections for sales, however many pulls wait', async () => {
    const { cursor } = await tablet.pull();
    const pool = server.database.$client;
    const held = await pool.connect();
    // Every pull reads the rooms, and no sale does.
    await held.query('begin');
    await held.query('lock table rooms in access exclusive mode');
    const pulls = Array.from({ length: 20 }, () => tablet.pull(cursor));
    await eventually(() => expect(pool.totalCount - pool.idleCount).toBeGreaterThan(2));
    const [sale] = await tablet.send(tablet.create());
    await held.query('rollback');
    held.release();
    expect(sale!.status).toBe('applied');
    await Promise.all(pulls);
  });

  test('never skips a transaction that commits late', async () => {
    const { cursor } = await tablet.pull();
    const late = await server.database.$client.connect();
    await late.query('begin');
    await late.query(
      `update categories set description = 'late' where clinic_id = $1 and id = (select min(id) from categories where clinic_id = $1)`,
      [server.clinicId],
    );
    const quick = tablet.create();
    await tablet.send(quick);
    const meanwhile = await tablet.pullPage(cursor);
    await late.query('commit');
    late.release();
    const afterwards = await tablet.pull(meanwhile.cursor);
    expect(meanwhile.rows.categories).toEqual([]);
    expect(afterwards.rows.categories.map(({ description }) => description)).toContain('late');
    expect([...meanwhile.rows.orders, ...afterwards.rows.orders].map(({ id }) => id)).toContain(quick.payload.order_id);
  });

  test('returns a treatment together with the receipts of its operations while other transactions are open', async () => {
    const { cursor } = await tablet.pull();
    const created = tablet.create();
    await tablet.send(created);
    const late = await server.database.$client.connect();
    await late.query('begin');
    await late.query('select pg_current_xact_id()');
    const paid = tablet.pay(created, 55);
    await tablet.send(paid);
    const { rows, receipts } = await tablet.pullPage(cursor);
    await late.query('rollback');
    late.release();
    const told = rows.orders.find(({ id }) => id === created.payload.order_id);
    expect(told?.payments.map(({ opId }) => opId)).toEqual([paid.op_id]);
    expect(receipts.map(({ op_id }) => op_id).sort()).toEqual([created.op_id, paid.op_id].sort());
  });

  test('starts a new round when rows were written between two pages', async () => {
    const { cursor } = await tablet.pull();
    const pool = server.database.$client;
    await pool.query(
      `insert into categories (clinic_id, name) select $1, 'Round ' || n from generate_series(1, ${pageRows + 200}) n`,
      [server.clinicId],
    );
    const early = tablet.create();
    await tablet.send(early);
    const first = await tablet.pullPage(cursor);
    expect(first.more).toBe(true);
    // The first page returns the treatment. A change of it that is written now must arrive with its receipt.
    const paid = tablet.pay(early, 55);
    await tablet.send(paid);
    const rest = await tablet.pull(first.cursor);
    expect(rest.rows.categories.length).toBe(200);
    expect(rest.rows.orders.map(({ id, payments }) => [id, payments.length])).toEqual([[early.payload.order_id, 1]]);
    expect(rest.receipts.map(({ op_id }) => op_id)).toEqual([paid.op_id]);
  });

  test('sends each document of a treatment once', async () => {
    const { cursor } = await tablet.pull();
    const created = tablet.create();
    const invoice = tablet.invoice(created.payload.items);
    await tablet.send(created, tablet.pay(created, created.payload.total, { invoice }));
    const { orders } = (await tablet.pull(cursor)).rows;
    expect(JSON.stringify(orders).split(invoice.invoice_id)).toHaveLength(2);
  });

  test('returns tombstones of deleted items', async () => {
    const { cursor, rows } = await tablet.pull();
    const { id } = rows.stock[0]!;
    await server.database.$client.query('update stock_items set deleted_at = $3 where clinic_id = $1 and id = $2', [
      server.clinicId,
      id,
      new Date(),
    ]);
    expect((await tablet.pull(cursor)).tombstones.stock).toEqual([id]);
  });

  test('pages without losing or repeating a row', async () => {
    const { cursor } = await tablet.pull();
    const count = 2 * pageRows + 234;
    await server.database.$client.query(
      `insert into categories (clinic_id, name) select $1, 'Category ' || n from generate_series(1, ${count}) n`,
      [server.clinicId],
    );
    const { rows } = await tablet.pull(cursor);
    const names = rows.categories.map(({ name }) => name);
    expect(names.length).toBe(count);
    expect(new Set(names).size).toBe(count);
  });
});

describe('SYNC-9 treatments of many bytes', () => {
  /** As long as one batch takes: two hundred and forty thousand characters. */
  const giant = () => Array.from({ length: 110 }, () => line({ name: 'n'.repeat(200), notes: 'n'.repeat(1800) }));

  test('come in pages of a few megabytes, all of them, to a new reader and to one who knows the others', async () => {
    const { cursor } = await tablet.pull();
    const made: string[] = [];
    for (let count = 0; count < 24; count++) {
      const created = tablet.create(giant());
      expect(await tablet.send(created)).toMatchObject([{ status: 'applied' }]);
      made.push(created.payload.order_id);
    }
    for (const from of [undefined, cursor]) {
      const first = await tablet.pullPage(from);
      expect(JSON.stringify(first).length).toBeLessThan(5_000_000);
      expect(first.more).toBe(true);
      const { rows } = await tablet.pull(from);
      const got = rows.orders.map(({ id }) => id);
      expect(new Set(got).size).toBe(got.length);
      expect(got).toEqual(expect.arrayContaining(made));
    }
  });

  test('grow no further than a list of a hundred can show', async () => {
    const created = tablet.create(giant());
    const more = () => tablet.operation('order.add_services', { order_id: created.payload.order_id, items: giant() });
    expect(await tablet.send(created)).toMatchObject([{ status: 'applied' }]);
    expect(await tablet.send(more())).toMatchObject([{ status: 'applied' }]);
    expect(await tablet.send(more())).toMatchObject([{ status: 'refused', reply: { code: 'ORDER_FULL' } }]);
  });
});

describe('SYNC-9 a tablet that several people use in turn', () => {
  let manager: TestDevice;
  beforeAll(async () => {
    manager = await TestDevice.enrol(server, 'manager');
  });

  /** Has the server refuse an operation. @returns its id, which the attention item carries */
  async function raiseAttention(): Promise<string> {
    const bad = tablet.create([line({ quantity: -1 })]);
    await tablet.send(bad);
    return bad.op_id;
  }
  const itemsOf = ({ rows }: ChangesPage) => rows.attention.map(({ op_id }) => op_id);
  const page = async (device: TestDevice, cursor: string, lacks: FeedPart[]): Promise<ChangesPage> => {
    const query = new URLSearchParams({ cursor, lacks: lacks.join() }).toString();
    const reply = await server.app.inject({ url: `/api/sync/changes?${query}`, headers: device.headers });
    return reply.json<{ data: ChangesPage }>().data;
  };

  test('returns to a manager the attention items that were raised while a clerk used it', async () => {
    const { cursor } = await manager.pull();
    const early = await raiseAttention();
    const byClerk = await tablet.pull(cursor);
    expect(itemsOf(byClerk)).toEqual([]);
    const late = await raiseAttention();
    const byClerkAgain = await tablet.pull(byClerk.cursor);
    const back = await manager.pull(byClerkAgain.cursor);
    expect(itemsOf(back)).toEqual([early, late]);
    // The rest of the feed does not come twice.
    expect([back.rows.categories, back.rows.stock, back.rows.patients]).toEqual([[], [], []]);
    expect(itemsOf(await manager.pull(back.cursor))).toEqual([]);
  });

  test('returns them after the lock as well, and none to the token of a locked tablet', async () => {
    const { cursor } = await manager.pull();
    const raised = await raiseAttention();
    await server.app.inject({ method: 'POST', url: '/api/auth/lock', headers: manager.headers });
    const reply = await server.app.inject({
      url: `/api/sync/changes?cursor=${cursor}`,
      headers: { authorization: `Bearer ${manager.info.sync_token}` },
    });
    const whileLocked = reply.json<{ data: ChangesPage }>().data;
    expect(itemsOf(whileLocked)).toEqual([]);
    expect(itemsOf(await manager.pull(whileLocked.cursor))).toEqual([raised]);
  });

  test('returns them although the changes need several pages and the reader changes between two', async () => {
    const { cursor } = await manager.pull();
    await server.database.$client.query(
      `insert into categories (clinic_id, name) select $1, 'Turn ' || n from generate_series(1, ${pageRows + 200}) n`,
      [server.clinicId],
    );
    const raised = await raiseAttention();
    const first = await manager.pullPage(cursor);
    expect([first.more, itemsOf(first)]).toEqual([true, [raised]]);
    const rest = await tablet.pull(first.cursor);
    expect(rest.rows.categories).toHaveLength(200);
    expect(itemsOf(await manager.pull(rest.cursor))).toEqual([raised]);

    await server.database.$client.query(`update categories set description = 'again' where clinic_id = $1`, [
      server.clinicId,
    ]);
    const another = await raiseAttention();
    const byClerk = await tablet.pullPage(rest.cursor);
    expect(itemsOf(await manager.pull(byClerk.cursor))).toEqual([raised, another]);
  });

  test('returns the open items again to a manager whose items were deleted, and remembers that for the next reader', async () => {
    const open = await raiseAttention();
    const { cursor } = await manager.pull();
    const settled = await raiseAttention();
    await server.database.$client.query('update attention_items set settled_at = $2 where op_id = $1', [
      settled,
      new Date(),
    ]);
    const byClerk = await page(tablet, cursor, ['attention']);
    expect(itemsOf(byClerk)).toEqual([]);
    const found = itemsOf(await manager.pull(byClerk.cursor));
    expect(found).toContain(open);
    expect(found).not.toContain(settled);
    expect(itemsOf(await page(manager, cursor, ['attention']))).toContain(open);
  });

  test.each(['orders', 'attention,receipts', 'attention,'])('refuses %j as parts that it lacks', async (lacks) => {
    const url = `/api/sync/changes?lacks=${lacks}`;
    expect((await server.app.inject({ url, headers: tablet.headers })).statusCode).toBe(400);
  });
});

describe('SYNC-16 a cursor that this server did not issue', () => {
  const changes = (cursor: string) =>
    server.app.inject({ url: `/api/sync/changes?cursor=${encodeURIComponent(cursor)}`, headers: tablet.headers });

  test('returns 410 after a restore', async () => {
    const { cursor } = await tablet.pull();
    await server.database.$client.query('update clinics set epoch = gen_random_uuid() where id = $1', [
      server.clinicId,
    ]);
    const reply = await changes(cursor);
    expect(reply.statusCode).toBe(410);
    expect(reply.json().code).toBe('CURSOR_GONE');
  });

  test('returns 410 for a cursor ahead of the database', async () => {
    const { cursor } = await tablet.pull();
    const [epoch] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const ahead = '999999999999:999999999999:';
    for (const parts of [
      [epoch, ahead, null, null],
      [epoch, '1:1:', null, [ahead, Array.from({ length: 10 }, () => ['1', ''])]],
    ])
      expect((await changes(Buffer.from(JSON.stringify(parts)).toString('base64url'))).statusCode).toBe(410);
  });

  test.each(['0:0:', '5:4:', '1:5:7', '1:5:3,2', '1:5:x', '99999999999999999999:99999999999999999999:', ''])(
    'returns 410 for text that is not a snapshot: %s',
    async (snapshot) => {
      const { cursor } = await tablet.pull();
      const [epoch] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      expect(
        (await changes(Buffer.from(JSON.stringify([epoch, snapshot, null, null])).toString('base64url'))).statusCode,
      ).toBe(410);
    },
  );

  test.each(
    [
      '',
      'x',
      'bm90IGpzb24',
      Buffer.from('[1,2,3]').toString('base64url'),
      Buffer.from('[null,null,[]]').toString('base64url'),
    ].slice(1),
  )('returns 410 for text that is not a cursor: %s', async (cursor) =>
    expect((await changes(cursor)).statusCode).toBe(410),
  );
});

describe('SYNC-9 the feed in the reply to a batch', () => {
  const from = (cursor: string, waiting = 0) => `?cursor=${encodeURIComponent(cursor)}&waiting=${waiting}`;

  test('brings the rows and receipts of the batch and the changes of others, and the next pull brings nothing', async () => {
    const other = await TestDevice.enrol(server);
    const { cursor } = await tablet.pull();
    const [mine, theirs] = [tablet.create(), other.create()];
    await other.send(theirs);
    const { feed } = await tablet.exchange(from(cursor), mine);
    expect(feed!.rows.orders.map(({ id }) => id).sort()).toEqual(
      [mine.payload.order_id, theirs.payload.order_id].sort(),
    );
    expect(feed!.receipts.map(({ op_id }) => op_id)).toEqual([mine.op_id]);
    const next = await tablet.pullPage(feed!.cursor);
    expect([next.rows.orders, next.receipts, next.more]).toEqual([[], [], false]);
  });

  test('comes again with the repetition of a batch whose reply was lost', async () => {
    const { cursor } = await tablet.pull();
    const created = tablet.create();
    await tablet.exchange(from(cursor), created);
    const { results, feed } = await tablet.exchange(from(cursor), created);
    expect(results[0]).toMatchObject({ status: 'applied', replayed: true });
    expect(feed!.receipts.map(({ op_id }) => op_id)).toEqual([created.op_id]);
  });

  test('is absent without a readable, current cursor, which refuses no operation', async () => {
    const { cursor } = await tablet.pull();
    const foreign = Buffer.from(
      Buffer.from(cursor, 'base64url')
        .toString()
        .replace(/[0-9a-f]/, 'x'),
    ).toString('base64url');
    for (const query of [
      '',
      '?waiting=0',
      '?cursor=nonsense',
      from(foreign),
      `?cursor=${'x'.repeat(5000)}`,
      '?cursor=a&lacks=all',
    ]) {
      const { results, feed } = await tablet.exchange(query, tablet.create());
      expect([query.slice(0, 20), results[0]!.status, feed]).toEqual([query.slice(0, 20), 'applied', undefined]);
    }
  });

  test('is absent when the changes do not fit one page', async () => {
    const { cursor } = await tablet.pull();
    await server.database.$client.query(
      `insert into categories (clinic_id, name) select $1, 'Category ' || n from generate_series(1, ${pageRows + 100}) n`,
      [server.clinicId],
    );
    const { results, feed } = await tablet.exchange(from(cursor), tablet.create());
    expect([results[0]!.status, feed]).toEqual(['applied', undefined]);
    await server.database.$client.query(`delete from categories where clinic_id = $1 and name like 'Category %'`, [
      server.clinicId,
    ]);
  });

  test('counts what waits beside the batch, and what the batch leaves waiting', async () => {
    const waiting = async () =>
      (
        await server.database.$client.query<{ waiting: number }>(
          'select waiting from devices where clinic_id = $1 and id = $2',
          [server.clinicId, tablet.info.device_id],
        )
      ).rows[0]!.waiting;
    const { cursor } = await tablet.pull();
    await tablet.exchange(from(cursor, 7), tablet.create());
    expect(await waiting()).toBe(7);
    const unsent = tablet.create();
    await tablet.exchange(from(cursor, 0), tablet.pay(unsent, 55));
    expect(await waiting()).toBe(1);
    await tablet.exchange(from(cursor, 0), unsent);
    expect(await waiting()).toBe(0);
  });
});

describe('SYNC-9 the first patients of a tablet', () => {
  const ask = async <T>(path: string, device = tablet): Promise<T> => {
    const reply = await server.app.inject({ url: `/api/sync/${path}`, headers: device.headers });
    expect(reply.statusCode).toBe(200);
    return reply.json<{ data: T }>().data;
  };
  const meet = async (name: string): Promise<string> => {
    const id = newId();
    const created = tablet.create();
    await tablet.send({ ...created, payload: { ...created.payload, patient: { patient_id: id, name, phone: '' } } });
    return id;
  };
  /** Pulls to the end. @returns all patients, whether the first page has left out some, and the cursor */
  async function later(from?: string): Promise<{ patients: PatientResource[]; isLater: boolean; cursor: string }> {
    const patients: PatientResource[] = [];
    let isLater: boolean | undefined;
    for (let cursor = from; ;) {
      const at = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page = await ask<ChangesPage>(`changes?later=patients${at}`);
      patients.push(...page.rows.patients);
      isLater ??= page.patients_follow ?? false;
      if (!page.more) return { patients, isLater, cursor: page.cursor };
      cursor = page.cursor;
    }
  }
  const idsOf = (patients: readonly { id: string }[]) => patients.map(({ id }) => id);

  test('are left out of a feed from the beginning, and come in pages by id', async () => {
    const id = await meet('Ana Ruiz');
    const { patients: first, isLater } = await later();
    expect([first, isLater]).toEqual([[], true]);
    const { patients, more } = await ask<PatientsPage>('patients');
    expect([idsOf(patients), more]).toEqual([idsOf(patients).sort(), false]);
    expect(idsOf(patients)).toContain(id);
    const after = idsOf(patients).at(-2)!;
    expect((await ask<PatientsPage>(`patients?after=${after}`)).patients).toEqual(patients.slice(-1));
    expect((await ask<PatientsPage>('patients?after=00000000-0000-0000-0000-00000000000a')).patients).toEqual(patients);
    expect((await ask<PatientsPage>(`patients?after=${idsOf(patients).at(-1)!}`)).patients).toEqual([]);
  });

  test('come with the feed if they are new or change after its first page', async () => {
    const known = await meet('Ana Ruiz');
    const { cursor } = await later();
    await server.database.$client.query(`update patients set name = 'Ana Rey' where clinic_id = $1 and id = $2`, [
      server.clinicId,
      known,
    ]);
    const created = await meet('Eva Nueva');
    const next = await later(cursor);
    expect([idsOf(next.patients).sort(), next.isLater]).toEqual([[known, created].sort(), false]);
  });

  test('are all in the feed of a device that does not ask for pages', async () => {
    const id = await meet('Ana Ruiz');
    const { rows, patients_follow } = await tablet.pull();
    expect([idsOf(rows.patients).includes(id), patients_follow]).toEqual([true, undefined]);
  });

  test('do not come to somebody who may not read patients', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    expect((await ask<PatientsPage>('patients', kitchen)).patients).toEqual([]);
    expect((await ask<ChangesPage>('changes?later=patients', kitchen)).patients_follow).toBeUndefined();
  });
});
