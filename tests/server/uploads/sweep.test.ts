import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { holdUploads } from '#server/modules/uploads/service.ts';
import { removeUnusedUploads } from '#server/modules/uploads/sweep.ts';
import { BackOffice } from '../stock/clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

/** @returns its address */
async function upload(
  ageHours: number,
  purpose: 'picture' | 'receipt' = 'picture',
  clinicId = office.server.clinicId,
): Promise<string> {
  const [row] = await office.rows<{ id: string }>(
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at)
     values (${clinicId}, '${purpose}', 'image/webp', '\\x00', 1, 1, $1::timestamptz - interval '${ageHours} hours') returning id`,
    [new Date()],
  );
  return purpose === 'picture' ? `/uploads/${clinicId}/${row!.id}.webp` : `/api/uploads/${row!.id}`;
}
const isThere = async (url: string) =>
  (await office.rows(`select 1 from uploads where '${url}' like '%' || id || '%'`)).length === 1;
const sweep = () => removeUnusedUploads(office.server.database.$client, office.server.clinicId, Date.now());

test('removes unreferenced uploads after a day, and nothing else', async () => {
  const [old, older, young, oldReceipt] = [
    await upload(25),
    await upload(400),
    await upload(23),
    await upload(25, 'receipt'),
  ];
  const [ofItem, ofDeleted, ofProduct, ofExpense, elsewhere] = await Promise.all(
    ['picture', 'picture', 'picture', 'receipt', 'picture'].map((purpose) => upload(48, purpose as 'picture')),
  );
  await office.item({ name: 'Gloves', image_url: ofItem! });
  const { id } = await office.item({ name: 'Masks', image_url: ofDeleted! });
  await office.call('DELETE', `/stock/${id}`);
  await office.product({ name: 'Check-up', image_url: ofProduct! });
  const expense = {
    title: 'Gauze',
    description: 'Two boxes',
    amount: 12,
    category: 'supplies',
    expense_date: '2026-03-01',
    receipt_url: ofExpense,
  };
  expect((await office.call('POST', '/expenses', expense)).statusCode).toBe(201);
  // An absolute URL, as copied from the address bar.
  await office.item({ name: 'Gowns', image_url: `https://clinic.test${elsewhere!}` });
  const logo_url = await upload(48);
  await office.rows('update settings set data = data || $2::jsonb where clinic_id = $1', [
    office.server.clinicId,
    JSON.stringify({ logo_url }),
  ]);
  const neighbour = await upload(48, 'picture', await office.server.addClinic());

  expect(await sweep()).toBe(3);
  for (const url of [old, older, oldReceipt]) expect(await isThere(url)).toBe(false);
  for (const url of [young, ofItem!, ofDeleted!, ofProduct!, ofExpense!, elsewhere!, logo_url, neighbour])
    expect(await isThere(url)).toBe(true);
  expect(await sweep()).toBe(0);
});

test('removes more than one batch, once, when two processes run', async () => {
  await office.rows(
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at)
    select ${office.server.clinicId}, 'picture', 'image/webp', '\\x00', 1, 1, $1::timestamptz - interval '2 days' from generate_series(1, 250)`,
    [new Date()],
  );
  const removed = await Promise.all([sweep(), sweep()]);
  expect(removed[0] + removed[1] + (await sweep())).toBe(250);
});

test('keeps an upload that is being referenced at the same time', async () => {
  const url = await upload(48);
  const { id } = await office.item({ name: 'Bibs' });
  const { database, clinicId } = office.server;
  let swept = -1;
  await inTransaction(database.$client, async (sql) => {
    await holdUploads(sql, clinicId, [null, url]);
    await sql.query('update stock_items set image_url = $2 where id = $1', [id, url]);
    swept = await sweep();
  });
  expect(swept).toBe(0);
  expect(await sweep()).toBe(0);
  expect(await isThere(url)).toBe(true);

  // A replaced picture is unreferenced.
  const next = await upload(48);
  expect((await office.call('PUT', `/stock/${id}`, { image_url: next })).statusCode).toBe(200);
  expect(await sweep()).toBe(1);
  expect([await isThere(next), await isThere(url)]).toEqual([true, false]);
});
