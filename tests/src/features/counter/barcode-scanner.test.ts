import { describe, expect, test } from 'vitest';
import { createScanDetector } from '../../../../src/features/counter/barcode-scanner.ts';

const letters = (text: string): string[] => text.split('');

/** Presses the keys with the given gap and returns what the detector said to each. */
function type(keys: string[], gapMs: number, detector = createScanDetector()) {
  return keys.map((key, index) => detector.press({ key, atMs: 1000 + index * gapMs }));
}

describe('the scan detector', () => {
  test.each(['Enter', 'Tab'])('takes a burst of six characters that ends in %s for a scan', (end) => {
    expect(type([...letters('840123'), end], 30).at(-1)).toBe('840123');
  });

  test('five characters are no scan', () => {
    expect(type([...letters('84012'), 'Enter'], 5).at(-1)).toBeNull();
  });

  test('a gap of more than 30 ms is typing', () => {
    expect(type([...letters('840123'), 'Enter'], 31).at(-1)).toBeNull();
  });

  test('a late Enter is a person confirming what was typed', () => {
    const detector = createScanDetector();
    type(letters('840123'), 5, detector);
    expect(detector.press({ key: 'Enter', atMs: 2000 })).toBeNull();
  });

  test('says nothing before the burst ends', () => {
    expect(type(letters('84012345'), 5).every((said) => said === null)).toBe(true);
  });

  test('what was typed before the burst is no part of the code', () => {
    const detector = createScanDetector();
    detector.press({ key: 'x', atMs: 0 });
    expect(type([...letters('840123'), 'Enter'], 5, detector).at(-1)).toBe('840123');
  });

  test('capitals arrive with Shift between the characters', () => {
    expect(type(['Shift', 'A', 'B', 'Shift', 'C', '1', '2', '3', 'Enter'], 10).at(-1)).toBe('ABC123');
  });

  test('an arrow key ends the burst', () => {
    expect(type([...letters('840'), 'ArrowLeft', ...letters('123'), 'Enter'], 5).at(-1)).toBeNull();
  });

  test('two scans in a row are two codes', () => {
    const said = type([...letters('840123'), 'Enter', ...letters('999888'), 'Enter'], 5);
    expect(said.filter(Boolean)).toEqual(['840123', '999888']);
  });
});
