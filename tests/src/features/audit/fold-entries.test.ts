import { expect, test } from 'vitest';
import type { AuditResource } from '#domain/audit/resources.ts';
import { foldEntries } from '#src/features/audit/fold-entries.ts';

const entry = (id: string, action: AuditResource['action'], person: number, subject: string): AuditResource => ({
  id,
  at: `2026-03-01T0${id}:00:00Z`,
  action,
  person: { id: person, name: `Person ${person}` },
  approver: null,
  uploader: null,
  device: null,
  subject,
  details: {},
});

test('folds what one person did to devices in a row, and nothing else', () => {
  const folded = foldEntries([
    entry('9', 'device.renamed', 1, 'C'),
    entry('8', 'device.renamed', 1, 'B'),
    entry('7', 'device.renamed', 2, 'A'),
    entry('6', 'room.created', 2, '1'),
    entry('5', 'room.created', 2, '2'),
    entry('4', 'device.renamed', 2, 'A'),
  ]);
  expect(folded.map(({ id, others, since }) => [id, others, since.slice(11, 13)])).toEqual([
    ['9', ['B'], '08'],
    ['7', [], '07'],
    ['6', [], '06'],
    ['5', [], '05'],
    ['4', [], '04'],
  ]);
});
