import { describe, expect, test } from 'vitest';
import { isRecipientId } from '#domain/tax/recipient-id.ts';
import {
  hasVatStructure,
  nearVatNumbers,
  notVatNumbers,
  outermostVatNumbers,
  vatNumbers,
  vatStructures,
} from '#tests/support/vat-numbers.ts';

const isTaken = (id: string): boolean => isRecipientId({ tax_id: id, id_type: '02' });

describe('a VAT number of the European Union', () => {
  test.each(vatNumbers)('%s is taken', (id) => {
    expect([isTaken(id), hasVatStructure(id)]).toEqual([true, true]);
  });

  test.each(notVatNumbers)('%s is none: %s', (id) => {
    expect([isTaken(id), hasVatStructure(id)]).toEqual([false, false]);
  });

  test('is known of every member state', () => {
    expect(new Set(vatNumbers.map((id) => id.slice(0, 2)))).toEqual(new Set(Object.keys(vatStructures)));
    // The 26 besides Spain, and Northern Ireland.
    expect(Object.keys(vatStructures)).toHaveLength(27);
  });

  test('has the structure that the Commission states, to the character', () => {
    const near = [...new Set([...vatNumbers, ...outermostVatNumbers].flatMap((id) => [id, ...nearVatNumbers(id)]))];
    expect(near.length).toBeGreaterThan(10_000);
    expect(near.filter((id) => isTaken(id) !== hasVatStructure(id))).toEqual([]);
  });
});
