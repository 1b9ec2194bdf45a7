import fc from 'fast-check';
import jsQr from 'jsqr';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { verificationUrl } from '#domain/fiscal/verification-url.ts';
import { qrShape } from '#src/printing/qr-code.ts';

const url = verificationUrl(
  { issuer: '89890001K', number: 'F-KTMA7-000123', issued_on: '01-01-2024', total: '-1234.56' },
  'production',
);

/** Draws the code as the page does, on paper of a receipt printer, and reads it as a camera would. */
async function readFromPaper(text: string, dotsPerInch: number): Promise<string | undefined> {
  const { size, sizeMm, path } = qrShape(text);
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}"><path d="${path}"/></svg>`;
  const pixels = Math.round((sizeMm / 25.4) * dotsPerInch);
  const density = (72 * pixels) / size;
  const { data, info } = await sharp(Buffer.from(image), { density })
    .flatten({ background: '#fff' })
    .extend({ top: 9, bottom: 40, left: 21, right: 33, background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQr(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

describe('the QR code on paper', () => {
  test.each([203, 300, 96])('it says the address of the agency, printed at %i dots per inch', async (dotsPerInch) => {
    expect(await readFromPaper(url, dotsPerInch)).toBe(url);
  });

  test('it can be read whatever the issuer, the number and the amount', async () => {
    const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
    const documents = fc.record({
      issuer: digits(8).map((eight) => `B${eight}`),
      number: fc.stringMatching(/^(INV|F|R|RF)-[A-Z]{3,12}[0-9]-[0-9]{6}$/),
      issued_on: fc.constant('31-12-2027'),
      total: fc.integer({ min: -9_999_999, max: 999_999_999 }).map((minor) => (minor / 100).toFixed(2)),
    });
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const address = verificationUrl(document, 'production');
        expect(await readFromPaper(address, 203)).toBe(address);
      }),
      { numRuns: 20 },
    );
  });

  test('it is 30 to 40 mm wide, in whole dots of a receipt printer, and fits a roll of 58 mm with its margin', () => {
    for (let length = 1; length <= 500; length += 9) {
      const { size, sizeMm } = qrShape('x'.repeat(length));
      const moduleMm = sizeMm / size;
      const symbolMm = (size - 8) * moduleMm;
      expect(symbolMm).toBeGreaterThanOrEqual(30);
      expect(symbolMm).toBeLessThanOrEqual(40);
      expect(sizeMm).toBeLessThanOrEqual(52);
      const dots = (moduleMm / 25.4) * 203;
      expect(dots).toBeCloseTo(Math.round(dots), 6);
    }
  });
});
