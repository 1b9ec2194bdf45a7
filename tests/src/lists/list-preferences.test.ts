import { expect, test } from 'vitest';
import { readPreferences } from '#src/lists/list-preferences.ts';

const none = { hidden: [], saved: [], size: null };

test.each([
  null,
  '',
  'x',
  'null',
  '[]',
  '7',
  '"text"',
  '{"hidden":7,"saved":"all"}',
  '{"hidden":null,"saved":{}}',
  '{"size":7}',
  '{"size":"20"}',
])('preferences that were stored as %j are none', (stored) => expect(readPreferences(stored)).toEqual(none));

test('of damaged preferences the sound ones are kept, whatever their text', () => {
  const hostile = { name: '"><script>alert(1)</script>', address: 'status=__proto__&q=%00' };
  const stored = JSON.stringify({
    hidden: ['price', 7, null],
    size: 50,
    saved: [hostile, { name: 'x' }, null, 'y', { address: '' }],
  });
  expect(readPreferences(stored)).toEqual({ hidden: ['price'], saved: [hostile], size: 50 });
});
