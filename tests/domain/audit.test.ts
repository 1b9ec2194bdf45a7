import { expect, test } from 'vitest';
import { actionsOf, auditGroups, actionKey } from '#domain/audit/actions.ts';
import { auditActions } from '#tests/support/audit-actions.ts';
import english from '#locales/en.json' with { type: 'json' };
import spanish from '#locales/sp.json' with { type: 'json' };

test('every action is in one group', () => {
  expect(new Set(auditActions).size).toBe(auditActions.length);
  expect(auditActions).toHaveLength(auditGroups.flatMap(actionsOf).length);
});

test.each([
  ['English', english],
  ['Spanish', spanish],
])('every action and every group has a distinct text in %s, and there are no others', (_language, { audit }) => {
  expect(Object.keys(audit.actions).sort()).toEqual(auditActions.map((action) => actionKey(action)).sort());
  expect(Object.keys(audit.groups).sort()).toEqual([...auditGroups].sort());
  const sentences = Object.values(audit.actions);
  expect(sentences.every((sentence) => sentence.trim() !== '')).toBe(true);
  expect(new Set(sentences).size).toBe(sentences.length);
});
