import { expect, test } from 'vitest';
import { readDevice, readError, readPatients } from '#sw/sync/wire.ts';

/** What every reply to the engine has. */
const always = { epoch: 'e1', server_time: '2026-03-04T10:00:00.000Z' };
const said = (data: unknown) => ({ success: true, data });

test.each([
  [
    'a device',
    readDevice,
    { code: 'A1', counters: { treatment: 1 } },
    [{ code: 'A1' }, { counters: {} }, { code: 1, counters: {} }],
  ],
  [
    'patients',
    readPatients,
    { patients: [], more: false },
    [{ patients: [] }, { more: true }, { patients: {}, more: true }],
  ],
])('a reply is %s only if it has all parts', (_what, read, whole, parts) => {
  expect(read(said({ ...always, ...whole }))).toEqual({ ...always, ...whole });
  for (const fault of [
    {},
    { epoch: 'e1' },
    { server_time: always.server_time },
    { ...always, epoch: 1 },
    { ...always, server_time: 'now' },
  ])
    expect([fault, read(said({ ...whole, ...fault }))]).toEqual([fault, null]);
  for (const part of parts) expect([part, read(said({ ...always, ...part }))]).toEqual([part, null]);
  for (const reply of [whole, { success: false, data: { ...always, ...whole } }, said(null), said([]), null, 'text'])
    expect(read(reply)).toBeNull();
});

test('a refusal has a code, and perhaps a message', () => {
  expect(readError({ success: false, code: 'NOT_FOUND', message: 'Not here' })).toEqual({
    code: 'NOT_FOUND',
    message: 'Not here',
  });
  expect(readError({ success: false, code: 'NOT_FOUND' })).toEqual({ code: 'NOT_FOUND', message: '' });
  for (const reply of [
    { success: true, code: 'NOT_FOUND' },
    { success: false },
    { success: false, code: 7 },
    null,
    'text',
  ])
    expect(readError(reply)).toBeNull();
});
