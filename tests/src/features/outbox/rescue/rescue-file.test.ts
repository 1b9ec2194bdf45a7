import { beforeAll, describe, expect, test } from 'vitest';
import { checkFile, openRescue, sealRescue } from '#src/features/outbox/rescue/rescue-file.ts';
import type { RescueContent } from '#src/features/outbox/rescue/rescue-file.ts';
import { seededRandom } from '#tests/support/random.ts';

const content: RescueContent = {
  saved_at: 1_800_000_000_000,
  epoch: 'epoch-1',
  device: { device_id: 3, code: 'A7', next_seq: 12 },
  entries: [],
};
const passphrase = 'contraseña larga';
const source = seededRandom(1, 'rescue file');
const random = (bytes: number) => new Uint8Array(source.bytes(bytes));
let file: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  file = await sealRescue(content, passphrase, random);
});

const changed = (at: number, to?: number): Uint8Array<ArrayBuffer> => {
  const copy = file.slice();
  copy[at] = to ?? copy[at]! ^ 1;
  return copy;
};

describe('SYNC-7 rescue file', () => {
  test('opens with its passphrase in any Unicode normal form, and with no other', async () => {
    expect(await openRescue(file, passphrase.normalize('NFD'))).toEqual({ ok: true, content });
    expect(await openRescue(file, 'contrasena larga')).toEqual({ ok: false, fault: 'passphrase' });
  });

  test('hides its content, uses at least 600,000 iterations, and has a new salt and nonce each time', async () => {
    expect(Buffer.from(file).toString('latin1')).not.toContain('epoch-1');
    expect(new DataView(file.buffer).getUint32(9)).toBeGreaterThanOrEqual(600_000);
    const again = await sealRescue(content, passphrase, random);
    for (const [from, to] of [
      [13, 29],
      [29, 41],
      [73, undefined],
    ] as const) {
      expect(Buffer.from(again.slice(from, to)).equals(Buffer.from(file.slice(from, to)))).toBe(false);
    }
  });

  test('tells a damaged file from a wrong passphrase, a foreign file and a newer version', async () => {
    expect(await openRescue(changed(file.length - 1), passphrase)).toEqual({ ok: false, fault: 'damaged' });
    expect(await openRescue(file.slice(0, file.length - 5), passphrase)).toEqual({ ok: false, fault: 'damaged' });
    expect(await checkFile(file.slice(0, 40))).toBe('damaged');
    expect(await checkFile(changed(0))).toBe('not_rescue');
    expect(await checkFile(new Uint8Array(3))).toBe('not_rescue');
    expect(await checkFile(changed(8, 2))).toBe('newer');
  });

  test('rejects a header that was tampered with', async () => {
    // Fewer iterations would make guessing cheap; very many would freeze the browser.
    expect(await checkFile(changed(9, 0xff))).toBe('damaged');
    expect(await checkFile(changed(10, 0))).toBe('damaged');
    for (const at of [14, 30])
      expect(await openRescue(changed(at), passphrase)).toEqual({ ok: false, fault: 'passphrase' });
    expect((await openRescue(changed(8, 0), passphrase)).ok).toBe(false);
  });
});
