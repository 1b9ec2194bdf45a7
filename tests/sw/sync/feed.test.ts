import { expect, test } from 'vitest';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ChangesPage, ReceiptResource } from '#domain/protocol/sync.ts';
import { mergePages } from '#sw/sync/feed.ts';
import { stockResource } from './clinic-server.ts';

const page = ({ rows, tombstones, ...over }: Partial<ChangesPage> = {}): ChangesPage => ({
  epoch: 'a',
  cursor: 'b',
  more: false,
  server_time: '2026-05-12T10:00:00.000Z',
  rows: {
    orders: [],
    stock: [],
    products: [],
    categories: [],
    attention: [],
    drawers: [],
    patients: [],
    patient_details: [],
    rooms: [],
    settings: null,
    ...rows,
  },
  tombstones: { stock: [], products: [], categories: [], rooms: [], ...tombstones },
  receipts: [],
  counters: null,
  ...over,
});
const settingsOf = (practice_name: string) =>
  page({ rows: { ...page().rows, settings: { ...defaultSettings, practice_name } } });
const numbers = { A1: { treatment: 4, invoice: 3, credit_note: 0 } };

test('what only one page says of the whole clinic stands, and the later page counts', () => {
  expect(mergePages([settingsOf('Old'), settingsOf('New'), page()]).settings?.practice_name).toBe('New');
  expect(mergePages([page({ counters: numbers }), page()]).counters).toEqual(numbers);
  expect(mergePages([page(), page({ counters: numbers })]).counters).toEqual(numbers);
  expect(mergePages([page()])).toMatchObject({ settings: null, counters: null });
});

test('what a page leaves out of the moment is over', () => {
  const said = page({ unsent_records: 4, lock_asked_at: '2026-05-12T09:00:00.000Z' });
  expect(mergePages([page(), said])).toMatchObject({ unsentRecords: 4, lockAskedAt: said.lock_asked_at });
  expect(mergePages([said, page()])).toMatchObject({ unsentRecords: 0, lockAskedAt: null });
});

test('patients that one page leaves for later follow', () => {
  expect(mergePages([page({ patients_follow: true }), page()]).patientsFollow).toBe(true);
  expect(mergePages([page(), page({ patients_follow: false })]).patientsFollow).toBe(false);
});

test('a row that is deleted later is gone, one that comes back is there, and all of them count', () => {
  const row = page({ rows: { ...page().rows, stock: [stockResource(5)] } });
  const gone = page({ tombstones: { ...page().tombstones, stock: [5] } });
  const receipt = page({ receipts: [{ op_id: 'x' } as ReceiptResource] });
  expect(mergePages([row, gone]).stock.get(5)).toBeNull();
  expect(mergePages([gone, row]).stock.get(5)).toMatchObject({ id: 5 });
  expect(mergePages([row, gone, receipt, settingsOf('One')]).size).toBe(4);
});
