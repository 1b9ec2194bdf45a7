import { expect, test } from 'vitest';
import { barcodeForms, barcodeKey, isGtin } from '#domain/barcode.ts';

test('UPC-A, EAN-13 and GTIN-14 of one product are the same code', () => {
  expect(barcodeKey('036000291452')).toBe('00036000291452');
  expect(barcodeKey('0036000291452')).toBe('00036000291452');
  expect(barcodeKey('00036000291452')).toBe('00036000291452');
});

test('EAN-8 and EAN-13 are different products', () => {
  expect(barcodeKey('96385074')).toBe('00000096385074');
  expect(barcodeKey('9638507400000')).not.toBe(barcodeKey('96385074'));
});

test.each([
  ['the identifier of a scanner', ']E07501031311309'],
  ['spaces around it', ' 7501031311309 '],
  ['expiry and lot', ']d20107501031311309172905151012AB'],
  ['brackets as printed', '(01)07501031311309(17)290515(10)12AB'],
  ['the expiry before it', ']C1172905150107501031311309'],
])('a code with %s is that of its product', (_case, code) => {
  expect(barcodeKey(code)).toBe(barcodeKey('7501031311309'));
});

// The example of the HIBC supplier standard: labeller A123, product BJC5D6E7, unit 1.
test.each([
  ['alone', '+A123BJC5D6E71G'],
  ['as printed', '*+A123BJC5D6E71G*'],
  ['in small letters', '+a123bjc5d6e71g'],
  ['with expiry and lot', '+A123BJC5D6E71/$$52001510X3G'],
])('a HIBC code %s names labeller, product and unit', (_case, code) => {
  expect(barcodeKey(code)).toBe('+A123BJC5D6E71');
});

test('a HIBC code with a wrong check character stays as it is', () => {
  expect(barcodeKey('+A123BJC5D6E71H')).toBe('+A123BJC5D6E71H');
});

test.each(['LAB-0042', '840123', '7501031311300', 'x'.repeat(64), '', '+', '01', '()'])(
  'a code of another kind stays as it is: %j',
  (code) => {
    expect(barcodeKey(code)).toBe(code);
  },
);

test('a key is its own key', () => {
  for (const code of ['036000291452', ']d20107501031311309172905151012AB', 'LAB-0042', '96385074'])
    expect(barcodeKey(barcodeKey(code))).toBe(barcodeKey(code));
});

test('a GTIN has a check digit', () => {
  expect(isGtin('7501031311309')).toBe(true);
  expect(isGtin('7501031311308')).toBe(false);
  expect(isGtin('750103131130')).toBe(false);
});

test.each([
  ['0036000291452', ['00036000291452', '0036000291452', '036000291452']],
  ['7501031311309', ['07501031311309', '7501031311309']],
  ['96385074', ['00000096385074', '0000096385074', '000096385074', '96385074']],
  ['+A123BJC5D6E71/$$52001510X3G', ['+A123BJC5D6E71', '+A123BJC5D6E71G']],
  ['LAB-0042', ['LAB-0042']],
])('%s may be stored as any of its forms, each of which is the same product', (code, forms) => {
  expect(barcodeForms(code)).toEqual(forms);
});
