import { expect, test } from 'vitest';
import { readPrintedHead } from '#src/features/fiscal/printed-head.ts';

test.each([
  ['A7 · 120 · 3C464DAF61ACB827', { chain: 'A7', sequence: 120, seal: '3C464DAF61ACB827' }],
  [' ktma7 120 3c464daf ', { chain: 'KTMA7', sequence: 120, seal: '3C464DAF' }],
  ['A7 · 120   3C464DAF61ACB827', { chain: 'A7', sequence: 120, seal: '3C464DAF61ACB827' }],
  ['A7 · 0 · 3C464DAF', null],
  ['A7 · 120 · 3C464D', null],
  ['A7 · 3C464DAF', null],
  ['', null],
])('%j is read as %j', (text, head) => {
  expect(readPrintedHead(text)).toEqual(head);
});
