import { describe, expect, test } from 'vitest';
import { pageRule } from '#src/printing/document-element.ts';

describe('the page of a printed document', () => {
  test('a roll is as long as its content, in whole millimetres plus one', () => {
    expect(pageRule('80mm', 378)).toBe('@page { size: 80mm 102mm; margin: 0; }');
    expect(pageRule('58mm', 96)).toBe('@page { size: 58mm 27mm; margin: 0; }');
  });

  test('a sheet is A4, with its margins inside, for content of any size', () => {
    expect(pageRule('A4', 5000)).toBe('@page { size: A4; margin: 0; }');
  });
});
