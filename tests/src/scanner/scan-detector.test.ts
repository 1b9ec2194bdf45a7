import { describe, expect, test } from 'vitest';
import { createScanDetector } from '#src/scanner/scan-detector.ts';

const letters = (text: string): string[] => text.split('');

/** Presses the keys with the given gap and returns the detector's answer to each. */
function type(keys: string[], gapMs: number, detector = createScanDetector()) {
  return keys.map((key, index) => detector.press({ key, atMs: 1000 + index * gapMs }));
}

describe('scan detector', () => {
  test.each(['Enter', 'Tab'])('recognises a burst of six characters that ends in %s', (end) => {
    expect(type([...letters('840123'), end], 30).at(-1)).toBe('840123');
  });

  test('ignores a burst of five characters', () => {
    expect(type([...letters('84012'), 'Enter'], 5).at(-1)).toBeNull();
  });

  test('ignores characters more than 30 ms apart', () => {
    expect(type([...letters('840123'), 'Enter'], 31).at(-1)).toBeNull();
  });

  test('ignores a burst whose Enter comes late', () => {
    const detector = createScanDetector();
    type(letters('840123'), 5, detector);
    expect(detector.press({ key: 'Enter', atMs: 2000 })).toBeNull();
  });

  test('returns null until the burst ends', () => {
    expect(type(letters('84012345'), 5).every((code) => code === null)).toBe(true);
  });

  test('leaves characters typed before the burst out of the code', () => {
    const detector = createScanDetector();
    detector.press({ key: 'x', atMs: 0 });
    expect(type([...letters('840123'), 'Enter'], 5, detector).at(-1)).toBe('840123');
  });

  test('accepts Shift between the characters', () => {
    expect(type(['Shift', 'A', 'B', 'Shift', 'C', '1', '2', '3', 'Enter'], 10).at(-1)).toBe('ABC123');
  });

  test('discards the burst on an arrow key', () => {
    expect(type([...letters('840'), 'ArrowLeft', ...letters('123'), 'Enter'], 5).at(-1)).toBeNull();
  });

  test('recognises two scans in a row', () => {
    const codes = type([...letters('840123'), 'Enter', ...letters('999888'), 'Enter'], 5);
    expect(codes.filter(Boolean)).toEqual(['840123', '999888']);
  });

  test('knows a scan without an end by the check digit of its code', () => {
    const detector = createScanDetector();
    type(letters('7501031311309'), 5, detector);
    expect(detector.pause()).toBe('7501031311309');
    type(letters('7501031311308'), 5, detector);
    expect(detector.pause()).toBeNull();
    expect(detector.burstLength).toBe(0);
  });

  test('takes a name that an expander types for no code', () => {
    expect(type([...letters('Anna-Lena'), 'Tab'], 2).at(-1)).toBeNull();
  });

  test('keeps the group separator of a GS1 code, and takes Control with J for its end', () => {
    const detector = createScanDetector();
    type(letters('10AB12'), 5, detector);
    detector.press({ key: 'Control', atMs: 1030 });
    detector.press({ key: ']', atMs: 1035, control: true });
    detector.press({ key: '7', atMs: 1040 });
    expect(detector.press({ key: 'j', atMs: 1045, control: true })).toBe('10AB12\u001D7');
  });

  test('ends a burst at a key of the page, as a shortcut', () => {
    const detector = createScanDetector();
    type(letters('840123'), 5, detector);
    detector.press({ key: 'k', atMs: 1030, control: true });
    expect(detector.press({ key: 'Enter', atMs: 1035 })).toBeNull();
  });
});
