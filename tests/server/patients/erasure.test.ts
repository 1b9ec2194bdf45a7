import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { totals as totalsOf } from '#domain/order/totals.ts';
import { patientAggregate } from '#domain/patient/operations.ts';
import type { PatientPayload } from '#domain/patient/patient.ts';
import type { AnyOperation, PayloadOf } from '#domain/protocol/operations.ts';
import { eraseOutlived, finishErasures } from '#server/modules/patients/sweep.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { routesOf } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let tablet: TestDevice;
let manager: TestDevice;
let admin: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  tablet = await TestDevice.enrol(server);
  manager = await TestDevice.enrol(server, 'manager');
  admin = await TestDevice.enrol(server, 'admin');
});
afterAll(() => server.close());

const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, by = manager, headers = {}) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    headers: { ...by.headers, ...headers },
    ...(payload && { payload }),
  });
const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await server.database.$client.query<T>(sql, values)).rows;
const meant = { reason: 'Asked for it by letter', confirm: true };
const erase = (id: string, body: object = meant, by = manager, headers = {}) =>
  call('POST', `/patients/${id}/erase`, body, by, headers);

/** A patient whose name, phone number and notes are found by these marks. */
const marks = ['Zenobia', 'Quintana', '688 777 666', '688777666', 'privatemark'];
const zenobia = (id = newId()): PatientPayload => ({ patient_id: id, name: 'Zenobia Quintana', phone: '688 777 666' });
const secret = 'privatemark: is afraid of needles';
const printed = [{ style: 'pair' as const, left: 'Patient', right: 'Zenobia Quintana' }];

const recipient = {
  name: 'Zenobia Quintana',
  tax_id: '12345678Z',
  address: 'privatemark street 1',
  postal_code: '28013',
  city: 'Madrid',
};

/** A treatment whose every free text says something of the patient. */
function treats(patient: PatientPayload, items = [line({ notes: secret })]): AnyOperation {
  const created = tablet.create(items, { occurred_at: new Date(Date.now() - 60_000).toISOString() });
  const texts = { customer_name: patient.name, notes: secret, discount_reason: secret };
  return { ...created, payload: { ...created.payload, ...texts, patient } };
}
const paid = (created: AnyOperation, items = [line()]) =>
  tablet.pay(created, 60, {
    reference_number: secret,
    invoice: { ...tablet.invoice(items), printed, notes: secret, recipient },
  });
/** Another operation that creates the same treatment: it is refused. */
const sameTreatment = ({ payload, aggregate }: AnyOperation): AnyOperation =>
  tablet.operation('order.create', payload as PayloadOf['order.create'], { aggregate });
const orderId = ({ payload }: AnyOperation) => (payload as { order_id: string }).order_id;

/** The places of the database that contain one of the texts, as `table.column`. */
async function placesOf(texts: readonly string[]): Promise<string[]> {
  const columns = await rows<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type <> 'bytea'`,
  );
  expect(columns.length).toBeGreaterThan(200);
  const each = columns.map(
    ({ table_name: table, column_name: column }) =>
      `select '${table}.${column}' as place where exists (select from "${table}" where "${column}"::text ilike any($1::text[]))`,
  );
  const found = await rows<{ place: string }>(each.join(' union all '), [texts.map((text) => `%${text}%`)]);
  return found.map(({ place }) => place).sort();
}

describe('erasing a patient', () => {
  test('leaves name, phone number and notes only in issued documents, whatever held a copy', async () => {
    const patient = zenobia();
    const id = patient.patient_id;
    const created = treats(patient);
    const more = tablet.operation('order.add_services', {
      order_id: orderId(created),
      items: [line({ notes: secret })],
      notes: secret,
    });
    const refund = manager.operation('order.refund', {
      order_id: orderId(created),
      refund_id: newId(),
      payment_method: 'cash',
      amount: 10,
      reason: secret,
      reduction: 10,
      credit_note_number: manager.number('credit_note'),
      credit_note: { issued_at: new Date().toISOString(), language: 'en', total_amount: 0, printed },
    });
    const cancelled = treats(patient);
    const cancel = tablet.operation('order.cancel', {
      order_id: orderId(cancelled),
      status: 'cancelled',
      notes: secret,
    });
    // Refused: an existing treatment, and a malformed one. Only the receipts name the patient.
    const twice = sameTreatment(created);
    const malformed = { ...treats(patient), payload: { patient: { ...patient, extra: secret }, nonsense: secret } };
    const results = [
      ...(await tablet.send(created, more, paid(created), cancelled, cancel, twice, malformed as never)),
      ...(await manager.send(refund)),
    ];
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'applied'),
      'refused',
      'refused',
      'applied',
    ]);
    // A void, a settled attention item and keyed writes over REST hold copies, too.
    const voids = manager.operation(
      'operation.void',
      { op_id: twice.op_id, reason: secret },
      { supersedes: twice.op_id, aggregate: twice.aggregate },
    );
    expect(await manager.send(voids)).toMatchObject([{ status: 'applied' }]);
    const [item] = await rows<{ id: string }>(
      `insert into attention_items (clinic_id, kind, order_id) values ($1, 'late_work', $2) returning id`,
      [server.clinicId, orderId(created)],
    );
    const key = { 'idempotency-key': newId() };
    await call('POST', `/attention/${item!.id}/settle`, { reason: secret }, manager, { 'idempotency-key': newId() });
    await call('PUT', `/patients/${id}`, { name: patient.name, phone: patient.phone }, tablet, key);
    // What the patient's page holds, from a tablet and over REST, applied and refused.
    const details = { email: 'zenobia@example.com', notes: secret, recipient };
    const update = (over: object = {}) =>
      tablet.operation(
        'patient.update',
        { patient: { ...patient, known: true }, phone: patient.phone!, ...details, ...over },
        { aggregate: patientAggregate(id) },
      );
    expect(await tablet.send(update(), update({ email: 'z'.repeat(300), extra: secret }))).toMatchObject([
      { status: 'applied' },
      { status: 'refused' },
    ]);
    await call('PUT', `/patients/${id}`, { name: patient.name, ...details }, tablet, { 'idempotency-key': newId() });
    const rest = { ...key, 'idempotency-key': newId() };
    const order = { items: [{ stock_id: 1, quantity: 1, name: 'X-ray', unit_price: 5 }], patient, notes: secret };
    await rows(`insert into stock_items (clinic_id, name, search_key, cost_minor) values ($1, 'X-ray', 'x-ray', 500)`, [
      server.clinicId,
    ]);
    const ordered = await call('POST', '/orders', order, tablet, rest);
    expect(ordered.body).toContain('Zenobia');
    expect((await placesOf(marks)).length).toBeGreaterThan(12);
    for (const column of ['recipient', 'email', 'notes', 'details_key'])
      expect(await placesOf(marks)).toContain(`patients.${column}`);

    const totals = `select number, status, total_minor, paid_minor, balance_minor from orders where patient_id = $1 order by number`;
    const before = await rows(totals, [id]);
    const erased = await erase(id);
    expect([erased.statusCode, erased.json().data]).toEqual([
      200,
      { id, name: '', phone: '', email: '', notes: '', recipient: null, erased_at: expect.any(String) },
    ]);
    // Index entries and dead rows are PostgreSQL's; these are all the columns that a reader can see.
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
    expect(await rows(totals, [id])).toEqual(before);
    const { rows: feed } = await manager.pull();
    expect(feed.patients).toContainEqual({ id, name: '', phone: '', erased_at: expect.any(String) });
    expect(feed.patient_details).toContainEqual({ id, email: '', notes: '', recipient: null });
    // What a tablet queued before, and a repetition of what it sent.
    const late = update({ patient: { ...patient, name: 'Zenobia Late' } });
    expect(await tablet.send(late)).toMatchObject([{ status: 'applied' }]);
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
    expect(feed.orders.find((each) => each.id === orderId(created))).toMatchObject({ customerName: '', notes: '' });

    // Repetitions are answered as before, without the text.
    const again = await call('POST', '/orders', order, tablet, rest);
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([ordered.statusCode, 'true']);
    for (const mark of marks) expect(again.body).not.toContain(mark);
    expect(again.json().data).toMatchObject({ id: ordered.json().data.id, price: 5, customer_name: '' });
    expect(await tablet.send(created, cancel)).toMatchObject([
      { status: 'applied', replayed: true },
      { status: 'applied', replayed: true },
    ]);
    expect(
      (await call('PUT', `/patients/${id}`, { name: patient.name, phone: patient.phone }, tablet, key)).body,
    ).not.toContain('Zenobia');
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
  });

  test('leaves no name in the operations of a treatment that was given to somebody else', async () => {
    const ximena = () => ({ ...zenobia(), name: 'Ximena Laredo', phone: '677 111 222' });
    const [first, second, third] = [ximena(), ximena(), ximena()];
    const other: PatientPayload = { patient_id: newId(), name: 'Otilia Serrano', phone: '611 222 333' };
    const gives = (created: AnyOperation, patient: PatientPayload, over: object = {}) =>
      tablet.operation('order.change', { order_id: orderId(created), customer_name: patient.name, patient }, over);
    const begun = (patient: PatientPayload) => {
      const created = tablet.create([line()]);
      return { ...created, payload: { ...created.payload, customer_name: patient.name, patient } };
    };
    const [given, passed, late] = [begun(first), begun(second), begun(other)];
    // Of two changes the later one applies, whichever arrives first.
    const earlier = new Date(Date.now() - 50_000).toISOString();
    const sent = [
      given,
      gives(given, other),
      passed,
      gives(passed, third),
      gives(passed, other),
      late,
      gives(late, other),
    ];
    const overtaken = gives(late, { ...first, name: 'Ximena Overtaken' }, { occurred_at: earlier });
    expect((await tablet.send(...sent, overtaken)).every(({ status }) => status === 'applied')).toBe(true);
    expect(await placesOf(['Ximena'])).toContain('sync_ops.payload');
    for (const { patient_id } of [first, second, third]) expect((await erase(patient_id)).statusCode).toBe(200);
    expect(await placesOf(['Ximena', '677 111 222'])).toEqual([]);
    // The other one's own name stays where it was.
    const [kept] = await rows<{ count: number }>(
      `select count(*)::int as count from sync_ops where payload::text like '%Otilia Serrano%'`,
    );
    expect(kept!.count).toBeGreaterThanOrEqual(4);
    expect((await rows(`select customer_name from orders where id = $1`, [orderId(given)]))[0]).toEqual({
      customer_name: 'Otilia Serrano',
    });
  });

  test('is told to nobody afterwards: no role reads the name in the feed, by any route, in a notice or in a search', async () => {
    const patient = zenobia();
    const created = treats(patient);
    const { order_id } = created.payload as PayloadOf['order.create'];
    const tax = { document_type: 'F1' as const, tax_totals: [{ exempt: 'E1' as const, base: 60, tax: 0, gross: 60 }] };
    const issuer = { legal_name: 'Clinic', tax_id: 'B65410011', address: 'C 1', postal_code: '28013', city: 'Madrid' };
    const document = { ...tax, issuer, recipient, printed };
    const invoice = { ...tablet.invoice([line()]), ...document, notes: secret };
    const refund = {
      order_id,
      refund_id: newId(),
      payment_method: 'cash' as const,
      amount: 10,
      reason: secret,
      reduction: 10,
      credit_note_number: manager.number('credit_note'),
      credit_note: {
        issued_at: new Date().toISOString(),
        language: 'en',
        total_amount: -10,
        ...document,
        document_type: 'R1' as const,
        tax_totals: [{ exempt: 'E1' as const, base: -10, tax: 0, gross: -10 }],
      },
    };
    const paying = tablet.pay(created, 60, { reference_number: secret, invoice });
    // The name stands where a field has its name.
    const malformed = {
      ...treats(patient),
      payload: { patient: { ...patient, 'Zenobia Quintana': 1 }, privatemark: 1 },
    };
    const results = [
      ...(await tablet.send(created, paying, sameTreatment(created), malformed as never)),
      ...(await manager.send(manager.operation('order.refund', refund))),
    ];
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'refused', 'refused', 'applied']);
    // The tax agency quotes whom a document names.
    await rows(`insert into attention_items (clinic_id, kind, op_id, details) values ($1, 'record_rejected', $2, $3)`, [
      server.clinicId,
      paying.op_id,
      { number: 'F-A7-000001', reason: '1104: 12345678Z Zenobia Quintana' },
    ]);
    const everybody = await Promise.all(
      (['admin', 'manager', 'counter', 'server', 'kitchen'] as const).map((role) => TestDevice.enrol(server, role)),
    );
    const named = [...marks, '12345678Z'];
    const reads = routesOf(server.app).filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'));
    /** The routes by which somebody reads one of the marks. */
    const leaks = async () => {
      const found: string[] = [];
      for (const device of [...everybody, manager, tablet]) {
        for (const { path } of reads) {
          const ids = path.includes('{') ? [order_id, patient.patient_id, tablet.info.device_id] : [''];
          for (const id of ids) {
            const url = path.slice('/api'.length).replace(/\{\w+\}/, String(id));
            const texts = [url, `${url}?search=Zenobia`].map(
              async (address) => (await call('GET', address, undefined, device)).body,
            );
            const text = (await Promise.all(texts)).join('');
            if (named.some((mark) => text.includes(mark))) found.push(path);
          }
        }
        const page = JSON.stringify(await device.pull());
        if (named.some((mark) => page.includes(mark))) found.push('feed');
      }
      return [...new Set(found)].toSorted();
    };
    expect(await leaks()).toEqual(expect.arrayContaining(['/api/orders', '/api/orders/{id}', '/api/patients', 'feed']));
    expect((await erase(patient.patient_id)).statusCode).toBe(200);
    // Only the file, which managers make and which is audited, has the documents that the law keeps. The tablet that issued
    // them gets its operations back with them.
    const kept = ['/api/patients/{id}/export', '/api/sync/changes', 'feed'];
    expect((await leaks()).filter((place) => !kept.includes(place))).toEqual([]);
    for (const device of everybody) {
      const page = JSON.stringify(await device.pull());
      expect(named.filter((mark) => page.includes(mark))).toEqual([]);
    }
    const { rows: feed } = await manager.pull();
    const shown = feed.orders.find(({ id }) => id === order_id)!;
    expect(totalsOf(shown).paidMinor).toBe(50_00);
    expect(shown).toMatchObject({
      isErased: true,
      invoices: [{ invoice_number: invoice.invoice_number, total_amount: 60, printed: [] }],
    });
    const stored = await rows<{ document: { recipient: object } }>(
      `select document from invoices where order_id = $1`,
      [order_id],
    );
    expect(stored[0]!.document.recipient).toEqual(recipient);
  });

  test('removes the text of operations that arrive later, and applies what they do', async () => {
    const patient = zenobia();
    const known = treats(patient);
    await tablet.send(known);
    await erase(patient.patient_id);
    // Queued before the erasure: a further payment and treatment, one of which is refused.
    const late = treats(patient);
    const results = await tablet.send(paid(known), late, paid(late), sameTreatment(late));
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'refused']);
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
    const { rows: feed } = await tablet.pull();
    const told = feed.orders.find(({ id }) => id === orderId(late))!;
    expect(told).toMatchObject({ customerName: '' });
    expect(totalsOf(told)).toMatchObject({ paidMinor: 60_00, balanceMinor: 0 });
    expect(feed.patients).toContainEqual(expect.objectContaining({ id: patient.patient_id, name: '' }));
    // A repetition of the received text is known by its fingerprint.
    expect(await tablet.send(late)).toMatchObject([{ status: 'applied', replayed: true }]);
  });

  test('keeps nothing of a form that somebody had open, and of a malformed plan that names the patient late', async () => {
    const patient = zenobia();
    await tablet.send(treats(patient));
    await erase(patient.patient_id);
    const form = { name: patient.name, phone: patient.phone, email: 'zenobia@example.com', notes: secret, recipient };
    const keyed = () => ({ 'idempotency-key': newId() });
    const changed = await call('PUT', `/patients/${patient.patient_id}`, form, tablet, keyed());
    expect(changed.json()).toMatchObject({ code: 'PATIENT_ERASED' });
    const created = await call('POST', '/patients', { id: patient.patient_id, ...form }, tablet, keyed());
    expect(created.json()).toMatchObject({ code: 'PATIENT_EXISTS' });
    const { payload, ...plan } = treats(
      patient,
      Array.from({ length: 150 }, () => line()),
    );
    const { patient: named, ...rest } = payload as PayloadOf['order.create'];
    const malformed = { ...plan, payload: { ...rest, nonsense: secret, patient: named } } as unknown as AnyOperation;
    expect(await tablet.send(malformed)).toMatchObject([{ status: 'refused', reply: { code: 'VALIDATION' } }]);
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
    const file = await call('GET', `/patients/${patient.patient_id}/export`);
    expect(file.body).not.toMatch(/Zenobia|privatemark/);
    expect(file.json()).toMatchObject({
      patient: { erasure: { reason: meant.reason, erased_at: expect.any(String) } },
    });
  });

  test('SYNC-16 gives a device its operations back without the text, signed, and complete with their documents', async () => {
    const patient = zenobia();
    const [created, alone] = [treats(patient), treats(patient)];
    const payment = paid(created);
    await tablet.send(created, payment, alone);
    const { cursor, receipts: before } = await tablet.pull();
    expect(before.find(({ op_id }) => op_id === created.op_id)).toMatchObject({ operation: null });
    await erase(patient.patient_id);
    const rewritten = (await tablet.pull(cursor)).receipts.map(({ operation }) => operation!);
    expect(rewritten.map(({ op_id }) => op_id).sort()).toEqual(
      [created, payment, alone].map(({ op_id }) => op_id).sort(),
    );
    const again = rewritten.find(({ op_id }) => op_id === payment.op_id);
    expect(again).toMatchObject({ payload: { reference_number: '', invoice: { printed } } });
    // A restored server lacks a treatment: the device sends what it was given.
    const lost = rewritten.find(({ op_id }) => op_id === alone.op_id)!;
    expect(JSON.stringify(lost)).not.toMatch(/Zenobia|privatemark/);
    await rows(`delete from sync_ops where op_id = $1`, [lost.op_id]);
    await rows(`delete from order_lines where order_id = $1`, [orderId(lost)]);
    await rows(`delete from orders where id = $1`, [orderId(lost)]);
    const forged = { ...lost, payload: { ...lost.payload, notes: 'changed' } };
    const sent = async (operation: AnyOperation) =>
      (await call('POST', '/sync/batch', { operations: [operation] }, tablet)).json().data.results[0];
    expect(await sent(forged as AnyOperation)).toMatchObject({ status: 'refused', reply: { code: 'PROOF_INVALID' } });
    expect(await sent(lost)).toMatchObject({ status: 'applied' });
    expect(await rows(`select number, customer_name from orders where id = $1`, [orderId(lost)])).toEqual([
      { number: (alone.payload as { number: string }).number, customer_name: '' },
    ]);
  });

  test('gives no call over REST back, whose document names the patient', async () => {
    const patient = zenobia();
    const created = treats(patient);
    await tablet.send(created, paid(created));
    const refunded = await call('POST', `/orders/${orderId(created)}/refunds`, { amount: 1, reason: secret });
    expect(refunded.json()).toMatchObject({ data: { Payments: [{ amount: 60 }, { amount: -1, reason: secret }] } });
    const { cursor } = await manager.pull();
    await erase(patient.patient_id);
    const { receipts } = await manager.pull(cursor);
    const { op_id } = refunded.json().data.Payments[1];
    expect(receipts.find((receipt) => receipt.op_id === op_id)).toMatchObject({ status: 'applied', operation: null });
    expect(JSON.stringify(receipts)).not.toMatch(/Zenobia|privatemark/);
  });

  test('waits for a batch that names the patient, and erases what it wrote', async () => {
    const patient = zenobia();
    await tablet.send(treats(patient));
    const sales = Promise.all(Array.from({ length: 8 }, () => tablet.send(treats(patient))));
    const [erased] = await Promise.all([erase(patient.patient_id), sales]);
    expect(erased.statusCode).toBe(200);
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
  });

  test('takes a manager, a reason that does not name the patient, and a confirmation', async () => {
    const patient = zenobia();
    const id = patient.patient_id;
    await tablet.send(treats(patient));
    for (const role of ['counter', 'server', 'kitchen'] as const) {
      const device = await TestDevice.enrol(server, role);
      expect((await erase(id, meant, device)).json()).toMatchObject({ code: 'FORBIDDEN' });
      expect((await call('GET', `/patients/${id}/export`, undefined, device)).json()).toMatchObject({
        code: 'FORBIDDEN',
      });
    }
    for (const body of [
      { ...meant, reason: 'no' },
      { ...meant, reason: 'Letter of zenobia' },
      { ...meant, reason: 'Called from 688777666' },
      { reason: meant.reason },
      { ...meant, confirm: false },
    ])
      expect((await erase(id, body)).json()).toMatchObject({ code: 'VALIDATION' });
    expect((await erase(newId())).json()).toMatchObject({ code: 'PATIENT_NOT_FOUND' });
    const other = await server.login('admin', { clinicId: await server.addClinic() });
    const foreign = { headers: { authorization: `Bearer ${other}` } } as TestDevice;
    expect((await erase(id, meant, foreign)).statusCode).toBe(404);
    expect((await call('GET', `/patients/${id}/export`, undefined, foreign)).statusCode).toBe(404);
    expect((await call('GET', `/patients/${id}`)).json().data).toMatchObject({ name: 'Zenobia Quintana' });

    const key = { 'idempotency-key': newId() };
    expect((await erase(id, meant, manager, key)).statusCode).toBe(200);
    expect((await erase(id, meant, manager, key)).headers['idempotency-replayed']).toBe('true');
    expect((await erase(id)).json()).toMatchObject({ code: 'PATIENT_ERASED' });
    expect((await call('PUT', `/patients/${id}`, { name: 'Zenobia Quintana' })).json()).toMatchObject({
      code: 'PATIENT_ERASED',
    });
    expect((await call('GET', `/patients?search=Zenobia`)).json().data).toEqual([]);
    expect(await placesOf(marks)).toEqual(['invoices.document', 'payments.credit_note']);
    expect(await rows(`select action, details from audit_log where subject = $1`, [`patient:${id}`])).toEqual([
      { action: 'patient.erased', details: { treatments: 1 } },
    ]);
  });
});

test('the file of a patient holds all that is known, in one readable document, and its making is audited', async () => {
  const patient = zenobia();
  const created = treats(patient);
  await tablet.send(created, paid(created), sameTreatment(created));
  const cancelled = treats(patient);
  await tablet.send(
    cancelled,
    tablet.operation('order.cancel', { order_id: orderId(cancelled), status: 'cancelled', notes: secret }),
  );
  const many = Array.from({ length: 59 }, () => treats(patient));
  await tablet.send(...many);
  const stranger = treats({ patient_id: newId(), name: 'Somebody Else', phone: '1' });
  await tablet.send(stranger);
  const reply = await call('GET', `/patients/${patient.patient_id}/export`);
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="patient_${patient.patient_id}.json"`);
  const file = reply.json();
  const { patient_id, name, phone } = patient;
  expect(file.patient).toMatchObject({ id: patient_id, name, phone, erasure: null });
  expect(file.treatments).toHaveLength(61);
  expect(file.treatments[0]).toMatchObject({
    notes: secret,
    customer_name: patient.name,
    OrderItems: [{ notes: secret }],
    Payments: [{ reference_number: secret, amount: 60 }],
    Invoices: [{ printed: ['Patient  Zenobia Quintana'] }],
    changes: [
      { action: 'order.create', person: expect.any(String), device: tablet.info.code },
      { action: 'order.pay', person: expect.any(String), device: tablet.info.code },
    ],
  });
  const left = file.treatments.find(({ id }: { id: string }) => id === orderId(cancelled));
  expect(left.Cancels).toEqual([
    { op_id: expect.any(String), reason: secret, actor_id: tablet.userId, created_at: expect.any(String) },
  ]);
  expect(file.work_that_was_not_accepted).toMatchObject([{ kind: 'order.create', payload: { notes: secret } }]);
  expect(reply.body).not.toContain('Somebody Else');
  expect(reply.body.split('\n').length).toBeGreaterThan(1000);
  expect(
    await rows(`select action, details from audit_log where subject = $1`, [`patient:${patient.patient_id}`]),
  ).toEqual([{ action: 'patient.exported', details: {} }]);
});

describe('erasures without a person', () => {
  /** Two o'clock at night in Madrid. */
  const night = Date.parse('2036-06-10T00:00:00Z');
  const year = 365.25 * 86_400_000;
  const namesOf = async (...ids: string[]) =>
    (
      await rows<{ name: string }>(`select name from patients where id = any($1) order by array_position($1, id)`, [
        ids,
      ])
    ).map(({ name }) => name);

  test('come at night, after the years of the settings, for patients with nothing to pay', async () => {
    const kept = zenobia();
    const due = zenobia();
    const owing = zenobia();
    const aged = async (patient: PatientPayload, years: number, pays: boolean) => {
      const created = { ...treats(patient), occurred_at: new Date(night - years * year).toISOString() };
      await tablet.send(created, ...(pays ? [paid(created)] : []));
      await rows(`update orders set updated_at = $1 where patient_id = $2`, [
        new Date(night - years * year),
        patient.patient_id,
      ]);
      // A device's clock is not believed for the past: the stored times are set by hand.
      await rows(`update orders set created_at = $1 where patient_id = $2`, [
        new Date(night - years * year),
        patient.patient_id,
      ]);
      await rows(`update patients set name_at = $1, phone_at = $1 where id = $2`, [
        new Date(night - years * year),
        patient.patient_id,
      ]);
    };
    await aged(kept, 5.9, true);
    await aged(due, 6.1, true);
    await aged(owing, 6.1, false);
    const ids = [kept, due, owing].map(({ patient_id }) => patient_id);
    const pool = server.database.$client;
    /** Runs the job as if all clocks said so, in a clinic that worked on that day. */
    const runAt = async (nowMs: number) => {
      await rows(`insert into audit_log (clinic_id, at, action) values ($1, $2, 'sign_in'), ($1, $3, 'sign_in')`, [
        server.clinicId,
        new Date(nowMs - 3_600_000),
        new Date(nowMs - 172_800_000),
      ]);
      return eraseOutlived(pool, { nowMs, databaseNow: async () => nowMs });
    };
    const later = night + 2 * 86_400_000;
    expect(await runAt(night)).toBe(0);
    const settings = (years: number) => call('PUT', '/settings', { patient_retention_years: years }, admin);
    for (const years of [4, 51, 6.5, -1])
      expect((await settings(years)).json()).toMatchObject({
        details: { patient_retention_years: expect.any(String) },
      });
    expect((await settings(6)).statusCode).toBe(200);
    expect(await runAt(night)).toBe(0);
    expect(await runAt(later + 12 * 3_600_000)).toBe(0);
    expect(await namesOf(due.patient_id)).toEqual(['Zenobia Quintana']);
    expect(await runAt(later)).toBe(1);
    expect(await namesOf(...ids)).toEqual(['Zenobia Quintana', '', 'Zenobia Quintana']);
    expect(
      await rows(`select user_id, action from audit_log where subject = $1`, [`patient:${due.patient_id}`]),
    ).toEqual([{ user_id: null, action: 'patient.erased' }]);
    expect(await runAt(later)).toBe(0);
  });

  test('finish what a restored backup has undone', async () => {
    const patient = zenobia();
    const id = patient.patient_id;
    await tablet.send(treats(patient));
    await erase(id);
    const lost = newId();
    await rows(`insert into patient_erasures (clinic_id, patient_id, erased_at) values ($1, $2, $3)`, [
      server.clinicId,
      lost,
      new Date(),
    ]);
    await rows(`update patients set name = 'Zenobia Quintana', erased_at = null where id = $1`, [id]);
    await rows(`update orders set customer_name = 'Zenobia Quintana' where patient_id = $1`, [id]);
    expect(await finishErasures(server.database.$client, Date.now())).toBe(2);
    expect(await namesOf(id, lost)).toEqual(['', '']);
    expect(await rows(`select from orders where patient_id = $1 and customer_name <> ''`, [id])).toEqual([]);
    expect(await finishErasures(server.database.$client, Date.now())).toBe(0);
  });
});
