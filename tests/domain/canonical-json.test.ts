import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '#domain/wire/canonical-json.ts';

test('agrees with the example of RFC 8785', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('writes every text as JSON.stringify does, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(canonicalJson(text)).toBe(JSON.stringify(text));
    }),
  );
  for (const text of ['\ud800', 'a\udfffb', '\u2028', '\u007f', '"', '\\', '\u0000'])
    expect(canonicalJson(text)).toBe(JSON.stringify(text));
});

test('gives equal texts to equal values whatever the order of their keys, and reads back to the value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
      const turned = Object.fromEntries(Object.entries(fields).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(fields));
      expect(JSON.parse(canonicalJson(fields))).toEqual(JSON.parse(JSON.stringify(fields)));
    }),
  );
});
